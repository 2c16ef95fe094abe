// Who sends by a stream is not answered, so what was stored and not used is counted, and shown beside how the stream is doing.

import { atMostEntries } from '@roadworthy/service-kit/pacing/at-most-entries'
import { LRUCache } from 'lru-cache'
import type { ConsumerWarning } from '../../../streams/consumers.sql.ts'
import type { FieldWarning } from '../../inbound.ts'
import { warningsOfOne } from '../../wire-warnings.ts'
import { toShownText } from './shown-text.ts'

/** A page shows as many; of a producer that makes up keys those that came last. */
const MAX_WARNINGS = 20
/** Longer keys are the same one as far as they are counted. */
const MAX_FIELD_LENGTH = 128

type Counted = { readonly warning: FieldWarning; readonly count: number; readonly lastAt: Date }

export class FieldWarnings {
  /** By kind and field; the longest unseen is forgotten first. */
  readonly #counted = new LRUCache<string, Counted>(atMostEntries(MAX_WARNINGS))

  note(warnings: readonly FieldWarning[], at: Date): void {
    for (const each of warnings) {
      const warning = { ...each, field: each.field.slice(0, MAX_FIELD_LENGTH) }
      const key = `${warning.kind} ${warning.field}`
      const count = (this.#counted.get(key)?.count ?? 0) + 1
      this.#counted.set(key, { warning, count, lastAt: at })
    }
  }

  /** In the words of the other receivers, the most frequent first. */
  shown(): ConsumerWarning[] {
    const all: ConsumerWarning[] = []
    // The longest unseen first, as among those of one count they are shown.
    this.#counted.rforEach(({ warning, count, lastAt }) => {
      for (const { field, reason } of warningsOfOne([warning]) ?? [])
        all.push({ field: toShownText(field), reason: toShownText(reason), count, lastAt })
    })
    return all.sort((a, b) => b.count - a.count)
  }
}
