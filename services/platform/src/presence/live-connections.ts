// The connections this process holds, and their record in the store. Signing in does not wait for the record: what came and went is written
// together, a little later, and a lease limits until when it may be believed should nobody write any more.

import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import {
  type DeviceConnection,
  deleteConnectionsAcrossResellers,
  deleteEmptyLeasesAcrossResellers,
  endLeasesAcrossResellers,
  insertConnectionsAcrossResellers,
  renewLeasesAcrossResellers,
  takeLostConnectionsAcrossResellers,
} from './connections.sql.ts'
import { type DeviceKey, markDisconnectedAcrossResellers, markDueAcrossResellers } from './presence.sql.ts'

/** How long the connections of a process that was killed are believed. */
const LEASE_MS = 60_000
/** Three renewals may fail. */
const RENEW_AFTER_MS = 15_000
const CONNECTIONS_PER_WRITE = 1_000

type OpenConnection = Omit<DeviceConnection, 'connectedAt'> & { readonly openedMs: number }

/** Holds as much as the broker has connections. While the store is away nobody signs in, so what waits to be written does not grow. */
export class LiveConnections {
  readonly #holderId = newId('hld')
  readonly #monotonicMs: () => number
  readonly #live = new Map<string, OpenConnection>()
  readonly #unwritten = new Map<string, OpenConnection>()
  readonly #ended = new Map<string, OpenConnection & { readonly endedMs: number }>()
  /** Resellers whose lease is held, and when it was renewed. */
  readonly #renewedMs = new Map<string, number>()

  /** Durations are measured by `monotonicMs`; the times that are written are reckoned back from the database's clock. */
  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  /** A device has signed in. Answers what to call when its connection is closed. */
  open({ resellerId, deviceId }: DeviceKey): () => void {
    const connection = { resellerId, deviceId, connectionId: newId('con'), openedMs: this.#monotonicMs() }
    const { connectionId } = connection
    this.#live.set(connectionId, connection)
    this.#unwritten.set(connectionId, connection)
    return () => {
      this.#live.delete(connectionId)
      this.#unwritten.delete(connectionId)
      this.#ended.set(connectionId, { ...connection, endedMs: this.#monotonicMs() })
    }
  }

  /**
   * Writes what changed, or a part of it; answers whether there is more. What could not be written is written the next time. `at` is what the
   * database's clock has just shown: another process goes by the leases that this writes.
   */
  async write(database: Database, at: Date): Promise<boolean> {
    const nowMs = this.#monotonicMs()
    const timeOf = (ms: number) => new Date(at.getTime() - (nowMs - ms))
    const opened = first(this.#unwritten).map((each) => ({ ...each, connectedAt: timeOf(each.openedMs) }))
    const ended = first(this.#ended).map((each) => ({ ...each, endedAt: timeOf(each.endedMs) }))
    const renewing = this.#resellersToRenew(nowMs)
    if (opened.length + ended.length + renewing.length === 0) return false
    const forgotten = await database.system(async (db) => {
      const leaseUntil = new Date(at.getTime() + LEASE_MS)
      const unleased = renewing.length === 0 ? [] : await renewLeasesAcrossResellers(db, this.#holderId, renewing, at, leaseUntil)
      if (opened.length > 0) await this.#insert(db, opened, at)
      return unleased.filter((resellerId) => this.#renewedMs.has(resellerId))
    })
    for (const resellerId of renewing) this.#renewedMs.set(resellerId, nowMs)
    for (const { connectionId } of opened) this.#unwritten.delete(connectionId)
    this.#writeAgain(new Set(forgotten))
    // Apart from those that came: each locks devices in their order, and two processes that exchange devices must not wait for each other.
    if (ended.length > 0) await database.system((db) => deleteEnded(db, ended, at))
    for (const { connectionId } of ended) this.#ended.delete(connectionId)
    return forgotten.length > 0 || Math.max(opened.length, ended.length) === CONNECTIONS_PER_WRITE
  }

  /** Records that none of them lives any more, for whoever runs the next round. */
  async release(database: Database, at: Date): Promise<void> {
    await endLeasesAcrossResellers(database.systemPool, this.#holderId, at)
  }

  #resellersToRenew(nowMs: number): string[] {
    const resellerIds = new Set<string>()
    for (const { resellerId } of this.#live.values()) resellerIds.add(resellerId)
    for (const resellerId of this.#renewedMs.keys()) if (!resellerIds.has(resellerId)) this.#renewedMs.delete(resellerId)
    return [...resellerIds].filter((resellerId) => {
      const renewedMs = this.#renewedMs.get(resellerId)
      return renewedMs === undefined || nowMs - renewedMs >= RENEW_AFTER_MS
    })
  }

  async #insert(db: Db, opened: readonly DeviceConnection[], at: Date): Promise<void> {
    await insertConnectionsAcrossResellers(db, this.#holderId, opened)
    await markDueAcrossResellers(db, opened, at)
  }

  /** The leases were cleared away while the store could not be reached, and the connections with them. */
  #writeAgain(resellerIds: ReadonlySet<string>): void {
    if (resellerIds.size === 0) return
    for (const connection of this.#live.values()) {
      if (resellerIds.has(connection.resellerId)) this.#unwritten.set(connection.connectionId, connection)
    }
  }
}

function first<T>(connections: ReadonlyMap<string, T>): T[] {
  return [...connections.values()].slice(0, CONNECTIONS_PER_WRITE)
}

type EndedConnection = Omit<DeviceConnection, 'connectedAt'> & { readonly endedAt: Date }

async function deleteEnded(db: Db, ended: readonly EndedConnection[], at: Date): Promise<void> {
  await deleteConnectionsAcrossResellers(db, ended)
  await markDisconnectedAcrossResellers(db, ended, at)
}

/** Clears away the connections of processes that do not renew their leases, `now` by the database's clock; answers whether there are more. */
export async function clearLostConnections(database: Database, now: Date): Promise<boolean> {
  const lostCount = await database.system(async (db) => {
    const lost = await takeLostConnectionsAcrossResellers(db, now, CONNECTIONS_PER_WRITE)
    if (lost.length > 0) await markDisconnectedAcrossResellers(db, lost, now)
    return lost.length
  })
  await deleteEmptyLeasesAcrossResellers(database.systemPool, now)
  return lostCount === CONNECTIONS_PER_WRITE
}
