// Brings events from the outbox into the log. Transactions commit in another order than they write in, so an order given while writing
// would let a reader pass an event that is committed a moment later; the relay gives each its place when it is there to be seen.

import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import type { SpanStart, TraceSpan } from '@roadworthy/service-kit/telemetry/tracer'
import { endAfter, resumeSpan } from '@roadworthy/service-kit/telemetry/tracing'
import type { LoggedEvent } from './event.ts'
import {
  appendToLogAcrossResellers,
  isAnyInOutboxAcrossResellers,
  lockLogAcrossResellers,
  type OutboxEvent,
  takeFromOutboxAcrossResellers,
} from './events.sql.ts'

/** Stores what follows from events, in the transaction that puts them into the log: deliveries, for one. */
export type EventRecorder = (db: Db, events: readonly LoggedEvent[]) => Promise<void>

export type RelayDeps = {
  readonly database: Database
  readonly recorders: readonly EventRecorder[]
  /** Called with what is in the log, once it is committed. */
  readonly onLogged?: (events: readonly LoggedEvent[]) => void
  readonly now: () => Date
}

const BATCH_SIZE = 500
/** The delay from a commit to the log is about this. */
const IDLE_MS = 250
const RETRY_MS = 2_000

/** One round; answers how many events got their place. While another process is at it, none. */
export async function relayEvents({ database, recorders, now, onLogged }: RelayDeps): Promise<number> {
  if (!(await isAnyInOutboxAcrossResellers(database.systemPool))) return 0
  const spans: TraceSpan[] = []
  const relay = async (db: Db) => {
    if (!(await lockLogAcrossResellers(db))) return []
    const taken = (await takeFromOutboxAcrossResellers(db, BATCH_SIZE)).map((event) => ({ ...event, body: bodyOf(event) }))
    if (taken.length === 0) return []
    const positions = await appendToLogAcrossResellers(db, taken, now())
    const events = taken.map(({ resellerId, eventId, type, subClientId, body, traceparent }, nth) => {
      const span = resumeSpan(relaySpan(type, eventId), traceparent)
      if (span !== undefined) spans.push(span)
      const own = { resellerId, position: positions[nth] as number, eventId, type, subClientId, body }
      return { ...own, traceparent: span?.traceparent ?? traceparent }
    })
    for (const record of recorders) await record(db, events)
    return events
  }
  const logged = await endAfter(spans, () => database.system(relay))
  onLogged?.(logged)
  return logged.length
}

function relaySpan(type: string, eventId: string): SpanStart {
  return { name: `relay ${type}`, kind: 'producer', attributes: { 'fleet.event.type': type, 'fleet.event.id': eventId } }
}

/** Spec §6.1, with `id` and `sub_client_id` beside it. */
function bodyOf({ eventId, type, occurredAt, dataJson, subClientId }: OutboxEvent): string {
  const head = `{"id":${JSON.stringify(eventId)},"event":${JSON.stringify(type)},"timestamp":${JSON.stringify(occurredAt)}`
  return `${head},"data":${dataJson},"sub_client_id":${JSON.stringify(subClientId ?? null)}}`
}

/** Rounds until stopped. One that fails loses nothing: its events are back in the outbox, as are those that a stop leaves there. */
export function startRelay(deps: RelayDeps & { readonly log: { error(details: object, message: string): void } }): Rounds {
  return startRounds(
    async () => ((await relayEvents(deps)) === BATCH_SIZE ? 0 : IDLE_MS),
    RETRY_MS,
    (err) => deps.log.error({ err }, 'events wait in the outbox; their relay is tried again'),
  )
}
