// Keeps everybody from writing to what is spread for a moment, so that what is begun meanwhile sees all nodes as of one moment. Citus has no snapshot over nodes:
// each has its own, and what one transaction of several nodes does is visible on one of them before the other.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import pg from 'pg'
import { countWaitingEffects, lockShards, selectAllPrepared, selectWorkers } from './hold-writes.sql.ts'

const SETTINGS = { statement_timeout: 5_000, lock_timeout: 1_000, connectionTimeoutMillis: 5_000, application_name: 'roadworthy-hold' }
/** Receivers wait this long for a lock, and longer than this nobody is kept waiting. */
const HELD_AT_MOST_MS = 1_500
const ATTEMPTS = 10
const PAUSE_MS = 500
const LOOK_AGAIN_MS = 25

/** Writers did not come to rest. */
export class WritesNotHeld extends Error {}

/**
 * Runs while nothing that is spread changes, what follows the readings that are there is done, and no transaction of several nodes is undecided. `drain`: does
 * what `reading_effects` asks for. Readings wait meanwhile, for a second and a half at most.
 */
export async function withWritesHeld<T>(ownerUrl: string, drain: () => Promise<void>, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    // Most of it while readings are taken.
    await drain()
    const result = await tryHold(ownerUrl, drain, run)
    if (result !== undefined) return result.value
    if (attempt === ATTEMPTS) throw new WritesNotHeld()
    await sleep(PAUSE_MS)
  }
}

/** Undefined: somebody wrote for too long. */
async function tryHold<T>(ownerUrl: string, drain: () => Promise<void>, run: () => Promise<T>): Promise<{ value: T } | undefined> {
  const sessions: pg.Client[] = []
  const open = async (url: string) => {
    const client = new pg.Client({ connectionString: url, ...SETTINGS })
    client.on('error', () => undefined)
    await client.connect()
    sessions.push(client)
    await client.query('begin')
    return client as unknown as Db
  }
  try {
    const coordinator = await open(ownerUrl)
    // Receivers write to the shards on their nodes, and everybody else through the coordinator. First the former, so that what follows readings comes to an end.
    for (const { host, port } of await selectWorkers(coordinator)) await lockShards(await open(atNode(ownerUrl, host, port)))
    const untilMs = performance.now() + HELD_AT_MOST_MS
    while ((await countWaitingEffects(coordinator)) > 0) {
      if (performance.now() > untilMs) return undefined
      await drain()
      await sleep(LOOK_AGAIN_MS)
    }
    await lockShards(coordinator)
    if ((await selectAllPrepared(coordinator)) > 0) return undefined
    return { value: await run() }
  } catch (error) {
    // A lock was not given in time.
    if ((error as { code?: unknown }).code === '55P03') return undefined
    throw error
  } finally {
    await Promise.all(sessions.map((each) => each.end()))
  }
}

function atNode(ownerUrl: string, host: string, port: number): string {
  const url = new URL(ownerUrl)
  url.hostname = host
  url.port = String(port)
  return url.href
}
