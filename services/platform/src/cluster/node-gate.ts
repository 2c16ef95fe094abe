// Keeps statements from the coordinator that would wait for a node which hangs. Each waits until its timeout, and the coordinator keeps its session, with its
// connections to the nodes, until the node goes on: sessions would pile up, and calls that need no node would find no connection.

import type { StatementGate } from '@roadworthy/service-kit/postgres/statement-gate'
import { NodeHangs } from './node-hangs.ts'
import type { Reach } from './reach.ts'

const OF_SPREAD_TABLE = /\b(?:from|join|into|update)\s+(?:only\s+)?(?:readings|latest_states|reading_effects)\b/i
/** Sources that a statement names, by the number of their parameter. */
const NAMED_SOURCES = /\bsource_id = (?:any \()?\$(\d+)/

export class NodeGate implements StatementGate {
  #reach: Reach | undefined
  #onTimeout = () => {}
  #onRefused = () => {}

  watch({ onTimeout, onRefused }: { onTimeout: () => void; onRefused: () => void }): void {
    this.#onTimeout = onTimeout
    this.#onRefused = onRefused
  }

  /** From now on statements that need the nodes which are away are refused. */
  close(reach: Reach): void {
    this.#reach = reach
  }

  /** What was found since. Where a node refuses and none hangs, it stays open: what needs the node fails at once. */
  update(reach: Reach | undefined): void {
    if (this.#reach !== undefined) this.#reach = reach
  }

  noteTimeout(): void {
    this.#onTimeout()
  }

  refusalOf(text: string, values: readonly unknown[] | undefined): Error | undefined {
    const reach = this.#reach
    if (reach === undefined || !OF_SPREAD_TABLE.test(text)) return undefined
    const sourceIds = namedSources(text, values)
    if (sourceIds?.every((sourceId) => reach.hasSource(String(sourceId))) === true) return undefined
    this.#onRefused()
    return new NodeHangs()
  }
}

function namedSources(text: string, values: readonly unknown[] | undefined): unknown[] | undefined {
  const [, nth] = NAMED_SOURCES.exec(text) ?? []
  if (nth === undefined) return undefined
  const named = values?.[Number(nth) - 1]
  return Array.isArray(named) ? named : [named]
}
