// A stream that is read in a thread of its own; from here it looks like any other.

import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { TraceSpan } from '@roadworthy/service-kit/telemetry/tracer'
import { isTracing, startEntrySpan, tracedAs } from '@roadworthy/service-kit/telemetry/tracing'
import type { StreamConsumerStatus } from '../../../streams/consumers.sql.ts'
import type { LostOffset, OffsetStore } from '../../../streams/offset-store.ts'
import type { OffsetsPlace, StreamProgress } from '../../../streams/offsets.sql.ts'
import type { StreamSecrets } from '../../../streams/secrets.ts'
import type { StreamConnection } from '../../../streams/stream-connection.ts'
import type { IngestBriefly } from '../../inbound.ts'
import type { ReportedStatus } from './consumer-report.ts'
import { FieldWarnings } from './field-warnings.ts'
import { type PackedBatch, type PackedOutcomes, packOutcomes, unpackBatch } from './packed-batch.ts'
import type { ReaderTask, ThreadContent } from './reader-task.ts'
import { type Calls, startWatchedThread } from './watched-thread.ts'

export type IsolatedConsumerDeps = {
  readonly offsets: OffsetStore
  readonly ingest: IngestBriefly
  readonly allowCidrs: string
  readonly maxAheadMs: number
  readonly now: () => Date
  readonly log: Logger
  readonly countDeadLetter: (code: string) => void
  readonly script?: URL
}

export type IsolatedConsumer = {
  /** Resolves when its thread is there, or gone; it has not talked with anybody by then. */
  readonly begun: Promise<void>
  /** As of its last beat; undefined before the first. */
  readonly status: () => StreamConsumerStatus | undefined
  /** Resolves when it is gone: with undefined when it was stopped, else with what its broker did. */
  readonly ended: Promise<string | undefined>
  /** Settles what is under way and leaves the group, within the bound. */
  stop(boundMs: number): Promise<void>
}

const READER_THREAD = new URL('./reader-thread.ts', import.meta.url)

export function startIsolatedConsumer(deps: IsolatedConsumerDeps, connection: StreamConnection, secrets: StreamSecrets): IsolatedConsumer {
  const { allowCidrs, maxAheadMs, log, script = READER_THREAD } = deps
  let status: ReportedStatus | undefined
  const warnings = new FieldWarnings()
  const task: ReaderTask = { kind: 'read', connection, secrets, allowCidrs, maxAheadMs, logLevel: log.level, isTraced: isTracing() }
  const thread = startWatchedThread({
    script,
    data: task,
    calls: callsOf(deps, connection.resellerId, warnings),
    onContent: (content) => {
      const said = content as ThreadContent
      status = said.status
      for (const code of said.deadLetterCodes) deps.countDeadLetter(code)
    },
  })
  return {
    status: () => status && { ...status, warnings: warnings.shown() },
    begun: thread.begun,
    ended: thread.ended,
    stop: async (boundMs) => {
      thread.stop()
      const late = setTimeout(() => void thread.terminate(), boundMs)
      await thread.ended
      clearTimeout(late)
    },
  }
}

function startBatchSpan({ receivedAtMs, traceparents = [] }: PackedBatch): TraceSpan | undefined {
  const attributes = {
    'messaging.system': 'kafka',
    'messaging.operation.type': 'process',
    'messaging.operation.name': 'process',
    'fleet.readings.count': receivedAtMs.length,
  }
  return startEntrySpan({ name: 'process kafka', kind: 'consumer', attributes }, traceparents)
}

/** A thread acts for its own reseller, whichever it names. */
function callsOf({ offsets, ingest, now }: IsolatedConsumerDeps, resellerId: string, warnings: FieldWarnings): Calls {
  const own = (place: OffsetsPlace): OffsetsPlace => ({ ...place, resellerId })
  const ownProgress = (progress: readonly StreamProgress[]) => progress.map((each) => ({ ...each, resellerId }))
  return {
    selectOffsets: (place: OffsetsPlace) => offsets.select(own(place)),
    insertOffsets: (place: OffsetsPlace, found: ReadonlyMap<number, bigint>) => offsets.insertUnlessThere(own(place), found),
    updateLostOffset: (place: OffsetsPlace, lost: LostOffset) => offsets.updateLost(own(place), lost),
    storeOffsets: (progress: readonly StreamProgress[]) => offsets.store(ownProgress(progress)),
    ingest: async (batch: PackedBatch, progress: readonly StreamProgress[] | undefined): Promise<PackedOutcomes> => {
      const span = isTracing() ? startBatchSpan(batch) : undefined
      const store = () => ingest(unpackBatch(batch, resellerId), progress === undefined ? undefined : ownProgress(progress))
      const outcomes = await tracedAs(span, store)
      for (const outcome of outcomes)
        if (outcome.status === 'stored' && outcome.warnings !== undefined) warnings.note(outcome.warnings, now())
      return packOutcomes(outcomes)
    },
  }
}
