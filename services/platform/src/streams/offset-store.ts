// Where whoever reads a topic keeps how far it came.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import {
  insertOffsetsUnlessThere,
  type OffsetsPlace,
  type StreamProgress,
  selectOffsets,
  updateLostOffset,
  upsertOffsets,
} from './offsets.sql.ts'

export type LostOffset = { readonly partition: number; readonly from: bigint; readonly to: bigint }

export type OffsetStore = {
  select(place: OffsetsPlace): Promise<ReadonlyMap<number, bigint>>
  insertUnlessThere(place: OffsetsPlace, offsets: ReadonlyMap<number, bigint>): Promise<void>
  updateLost(place: OffsetsPlace, lost: LostOffset): Promise<void>
  store(progress: readonly StreamProgress[]): Promise<void>
}

/** Of one reseller: row-level security refuses places of others. */
export function createOffsetStore(database: Database, resellerId: string): OffsetStore {
  const db = database.tenantPool(resellerId)
  return {
    select: (place) => selectOffsets(db, place),
    insertUnlessThere: (place, offsets) => insertOffsetsUnlessThere(db, place, offsets),
    updateLost: (place, lost) => updateLostOffset(db, place, lost),
    store: (progress) => upsertOffsets(db, progress),
  }
}
