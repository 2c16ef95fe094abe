// What a step costs the process that takes it: time, the longest hold of its event loop, its most memory, its slowest statement and transaction, and
// large tables that were read from end to end. What else the machine did meanwhile is recorded beside it.

import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import type { Client } from 'pg'

/** Fewer rows are read faster from end to end. */
const LARGE_TABLE_ROWS = 5_000
const DELAY_RESOLUTION_MS = 5

type Longest = { ms: number; text: string }
export type WatchedDatabase = Database & { readonly longest: { statement: Longest; transaction: Longest } }

/** The same database; how long each statement and transaction took is noted, seen from the process. */
export function watchDatabase(database: Database): WatchedDatabase {
  const none = () => ({ ms: 0, text: '' })
  const longest = { statement: none(), transaction: none() }
  const timed = async <T>(kind: keyof typeof longest, text: string, run: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now()
    try {
      return await run()
    } finally {
      const ms = Math.round(performance.now() - startedMs)
      if (ms > longest[kind].ms) longest[kind] = { ms, text: text.replaceAll(/\s+/g, ' ').trim().slice(0, 100) }
    }
  }
  const timedDb = (db: Db): Db =>
    ({
      query: (statement: Parameters<Db['query']>[0], values?: readonly unknown[]) =>
        timed('statement', typeof statement === 'string' ? statement : statement.text, () => db.query(statement, values)),
    }) as Db
  return {
    ...database,
    longest,
    tenant: (ids, run) => timed('transaction', String(run), () => database.tenant(ids, (db) => run(timedDb(db)))),
    tenantPool: (ids) => timedDb(database.tenantPool(ids)),
    system: (run) => timed('transaction', String(run), () => database.system((db) => run(timedDb(db)))),
    systemPool: timedDb(database.systemPool),
  }
}

/** `VmHWM`: the most memory since it was last reset. */
const mostMb = () => Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024)
const memoryMb = () => Math.round(process.memoryUsage().rss / 1_048_576)

/**
 * The most processor time that the main thread took between two turns of a timer. It is what a hold of the event loop costs where nothing else wants the
 * processor: unlike the hold itself, it does not grow with what the rest of the machine does.
 */
function watchHeldCpu(): { stop(): number } {
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let last = usedMs()
  let most = 0
  const timer = setInterval(() => {
    const now = usedMs()
    most = Math.max(most, now - last)
    last = now
  }, DELAY_RESOLUTION_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return most
    },
  }
}

async function rowsScanned(owner: Client): Promise<Map<string, number>> {
  const { rows } = await owner.query<{ name: string; read: string }>(
    'select relname as name, seq_tup_read as read from pg_stat_user_tables where n_live_tup > $1',
    [LARGE_TABLE_ROWS],
  )
  return new Map(rows.map(({ name, read }) => [name, Number(read)]))
}

export async function watchStep<T>(
  name: string,
  { owner, database }: { readonly owner: Client; readonly database: WatchedDatabase },
  run: () => Promise<T>,
): Promise<{ result: T; cost: object }> {
  // Idle connections report their statistics within a second.
  await sleep(1_200)
  globalThis.gc?.()
  const scannedBefore = await rowsScanned(owner)
  Object.assign(database.longest, { statement: { ms: 0, text: '' }, transaction: { ms: 0, text: '' } })
  const beforeMb = memoryMb()
  writeFileSync('/proc/self/clear_refs', '5')
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })
  delay.enable()
  await sleep(50)
  delay.reset()
  let longestGcMs = 0
  const pauses = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestGcMs = Math.max(longestGcMs, duration)
  })
  pauses.observe({ entryTypes: ['gc'] })
  const held = watchHeldCpu()
  const cpuBefore = process.cpuUsage()
  const startedMs = performance.now()
  const result = await run()
  const tookMs = Math.round(performance.now() - startedMs)
  const cpu = process.cpuUsage(cpuBefore)
  await sleep(20)
  delay.disable()
  pauses.disconnect()
  const heldCpuMs = held.stop()
  const memory = mostMb()
  await sleep(1_200)
  const scanned = [...(await rowsScanned(owner))].flatMap(([table, read]) => {
    const rows = read - (scannedBefore.get(table) ?? 0)
    return rows >= LARGE_TABLE_ROWS ? [{ table, rows }] : []
  })
  const cost = {
    step: name,
    tookMs,
    loopHeldMs: Math.round(delay.max / 1e6),
    heldCpuMs: Math.round(heldCpuMs),
    /** The longest pause of the garbage collector of the main thread, which is part of a hold. */
    gcMs: Math.round(longestGcMs),
    /** Of this process and all its threads. */
    cpuMs: Math.round((cpu.user + cpu.system) / 1000),
    /** How many wanted a processor, on average of the last minute: what is above their number makes times longer than the work takes. */
    load: Math.round((os.loadavg()[0] ?? 0) * 10) / 10,
    mostMb: memory,
    addedMb: memory - beforeMb,
    ...structuredClone(database.longest),
    scanned,
  }
  console.error(JSON.stringify(cost))
  return { result, cost }
}
