// Readings of before, which left PostgreSQL for sealed files. The slice that seals them implements this; whoever reads asks for both parts through
// `all-readings.ts`.

import type { SelectedReading } from './reading.read.sql.ts'
import type { ReadingKey } from './reading-id.ts'
import type { Bucket, ReadingsOf, ReadingsPage } from './readings.read.sql.ts'
import type { TimeRange } from './time-range.ts'
import type { TrackOf } from './track.read.sql.ts'
import type { TrackPoint } from './track.ts'

export type PastReadings = {
  /** What there is in files of a range of the reseller; undefined where all of it is in PostgreSQL. Only what was reported by sources of the vehicle is looked at. */
  open(resellerId: string, of: { readonly range: TimeRange; readonly vehicleId: string }): Promise<PastPart | undefined>
  /** One reading by its whole key; undefined too where it would be in PostgreSQL. */
  reading(resellerId: string, key: ReadingKey): Promise<SelectedReading | undefined>
}

/** Each answers as its namesake does for PostgreSQL, of what was recorded before `until`. */
export type PastPart = {
  /** What was recorded before is in files, and nothing else is. */
  readonly until: Date
  /** One more than the page's limit when there is one. */
  list(of: ReadingsOf, page: ReadingsPage): Promise<SelectedReading[]>
  /** How many readings of the page take no more than `maxBytes` together; undefined: all. */
  fitting(of: ReadingsOf, page: ReadingsPage, maxBytes: number): Promise<number | undefined>
  count(of: ReadingsOf): Promise<number>
  buckets(of: ReadingsOf, bucketS: number): Promise<Bucket[]>
  track(of: TrackOf, everyS: number): Promise<TrackPoint[]>
  codes(of: TrackOf): Promise<PastCode[]>
}

/** A fault code that readings report. */
export type PastCode = { readonly code: string; readonly firstSeenAt: Date; readonly lastSeenAt: Date; readonly readingCount: number }

/** Where nothing was ever sealed, and for tests of other things. */
export const NO_PAST: PastReadings = { open: async () => undefined, reading: async () => undefined }
