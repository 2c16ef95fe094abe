// Divides streams among the receivers that are there: each stream is read by a few of them, and a receiver more takes its share from the others.

import { createHash } from 'node:crypto'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import {
  deleteReceiverAcrossResellers,
  noteReceiverAcrossResellers,
  releaseStreamsAcrossResellers,
  selectHeldStreamsAcrossResellers,
  takeStreamLeasesAcrossResellers,
} from './leases.sql.ts'

/** The streams of a receiver that was killed are read by others after this. Leases are moved on four times in it (`kafka-receiver.ts`). */
export const STREAM_LEASE_MS = 20_000

export type Share = {
  /** To be read by this receiver. */
  readonly held: ReadonlySet<string>
  /** Held and more than its share: it stops reading them and then releases them. */
  readonly surplus: readonly string[]
}

/**
 * The share of this receiver in the streams that are to be read, each by one receiver at least and by `readersPerStream` at most. A receiver that cannot reach the database reads on: another may then read the same
 * stream as a member of the same consumer group, and what both read is stored once.
 */
export async function takeShare(
  database: Database,
  receiverId: string,
  wanted: readonly string[],
  readersPerStream: number,
): Promise<Share> {
  const at = await database.now()
  const heldUntil = new Date(at.getTime() + STREAM_LEASE_MS)
  return await database.system(async (db) => {
    const receiverCount = await noteReceiverAcrossResellers(db, receiverId, at, heldUntil)
    const slotsPerStream = Math.min(readersPerStream, receiverCount)
    const fairCount = Math.ceil((wanted.length * slotsPerStream) / receiverCount)
    const mine = inOrderOf(receiverId, await selectHeldStreamsAcrossResellers(db, receiverId))
    const isWanted = new Set(wanted)
    const held = mine.filter((resellerId) => isWanted.has(resellerId))
    const kept = held.slice(0, fairCount)
    const isMine = new Set(mine)
    const others = inOrderOf(receiverId, wanted).filter((resellerId) => !isMine.has(resellerId))
    const room = { held, others, limit: fairCount - kept.length, slotsPerStream }
    const taken = await takeStreamLeasesAcrossResellers(db, receiverId, room, at, heldUntil)
    const surplus = [...held.slice(fairCount), ...mine.filter((resellerId) => !isWanted.has(resellerId))]
    return { held: new Set([...kept, ...taken]), surplus }
  })
}

/**
 * In an order of this receiver's own (as of rendezvous hashing). Receivers that each give up some streams so seldom give up the same, of which a third
 * could take only one slot each.
 */
function inOrderOf(receiverId: string, resellerIds: readonly string[]): string[] {
  const rankOf = (resellerId: string) => createHash('sha256').update(`${receiverId} ${resellerId}`).digest('hex')
  const ranked = resellerIds.map((resellerId) => ({ resellerId, rank: rankOf(resellerId) }))
  return ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ resellerId }) => resellerId)
}

/** Call when this receiver has stopped reading them. */
export async function releaseStreams(database: Database, receiverId: string, resellerIds: readonly string[]): Promise<void> {
  await database.system((db) => releaseStreamsAcrossResellers(db, receiverId, resellerIds))
}

/** Call when this receiver has stopped reading: others take over at once. */
export async function leaveStreams(database: Database, receiverId: string): Promise<void> {
  await database.system(async (db) => {
    await deleteReceiverAcrossResellers(db, receiverId)
    await releaseStreamsAcrossResellers(db, receiverId, await selectHeldStreamsAcrossResellers(db, receiverId))
  })
}
