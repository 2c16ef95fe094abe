// What a receiver hands to ingest, and what it gets back: one outcome per input, same length, same order.

import type { Problem } from '@roadworthy/service-kit/http/problem'
import type { CallToCount } from '../limits/usage.ts'
import type { Receiver } from '../readings/seen-message.ts'
import type { StreamProgress } from '../streams/offsets.sql.ts'

/** `track` and `telemetry` take the same shapes; the difference is which id they answer with and whether a device must be named. */
export type ReadingKind = 'telemetry' | 'track'

export type Inbound = {
  readonly resellerId: string
  readonly kind: ReadingKind
  /** The record as it arrived, already parsed from JSON and otherwise untrusted. */
  readonly record: unknown
  /** Set by receivers that know the sender (MQTT: from username and topic). The record may then not name another device. */
  readonly senderDeviceId?: string
  /** When the receiver took it, where offering it again must not make it another reading; otherwise ingest's own time. */
  readonly receivedAt?: Date
  /** Whether a vehicle that is not known is created by naming it; true by default. Devices may only where their reseller allows it. */
  readonly mayCreateVehicles?: boolean
  /** How it came, for those who look at the messages of a device. */
  readonly receiver?: Receiver
  /** Of a foreign format: its keys that no mapping knows, which the receiver has put into `extra` of the record. */
  readonly unread?: UnreadKeys
  /** As it was sent, for those who look at messages, where `record` was made of something else. Without what lets a sender in. */
  readonly sent?: unknown
  /** The calling key's pin to one sub-client, if it has one. */
  readonly subClientPin?: string | undefined
}

/** `unnamedCount`: how many more there were than are kept. */
export type UnreadKeys = { readonly keys: readonly string[]; readonly unnamedCount: number }

export type Outcome = Accepted | Refused

export type Refused = { readonly status: 'refused'; readonly problem: Problem }

export type Accepted = {
  readonly status: 'stored' | 'duplicate'
  /** `tel-…` or `trk-…`; `GET /telemetry/{id}` finds the reading by it. */
  readonly readingId: string
  readonly deviceId: string | undefined
  readonly vehicleId: string | undefined
  readonly subClientId: string | undefined
  readonly receivedAtMs: number
  /** What was stored and not understood; absent when there is nothing to warn of. */
  readonly warnings?: readonly FieldWarning[]
}

/** As `Outcome`, where nobody asks for the id of a reading. */
export type BriefOutcome = Pick<Accepted, 'status' | 'warnings'> | Refused

export type FieldWarning = {
  /** The key as it was sent, that of `sensor_data` alone, and that of `location` as `location.lat`. */
  readonly field: string
  /** `unread`: of a foreign format. `misplaced`: known, but not where it stood. `more`: `count` fields that are not named. */
  readonly kind: 'implausible' | 'unknown' | 'unread' | 'misplaced' | 'unknown vehicle' | 'retired vehicle' | 'more'
  readonly count?: number
}

/**
 * Stores a batch. Resolves only after the readings are committed; a refused record is an outcome, never an exception. Rejects when the
 * store is away or the queue is full (`Problem('unavailable')`): then nothing of the batch may be acknowledged.
 *
 * `progress` is how far a stream is settled by this batch. It is written in the transaction of the readings, so that one is never there
 * without the other, and also when every reading is known already. When an outcome is a refusal it is not written: the caller first does
 * what it must with what was refused, and then writes it itself.
 */
export type Ingest = (batch: readonly Inbound[], progress?: readonly StreamProgress[], options?: IngestOptions) => Promise<Outcome[]>

/**
 * The same for telemetry whose senders are not answered with ids (MQTT, streams). One outcome is shared by all that are simply stored: thousands wait for their
 * commit at a time.
 */
export type IngestBriefly = (batch: readonly Inbound[], progress?: readonly StreamProgress[]) => Promise<BriefOutcome[]>

export type IngestOptions = {
  /**
   * For receivers whose callers look at each outcome: a reading whose source another transaction holds is refused as `unavailable` by its index,
   * and the others are stored. Without it, and with `progress`, all are rejected.
   */
  readonly byIndex?: boolean
  /** The call that brought the batch. When ingest resolves it is counted for good; when it rejects, it may not be. */
  readonly call?: CallToCount | undefined
}
