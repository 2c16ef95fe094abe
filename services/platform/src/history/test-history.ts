// For tests only: readings of before, stored by ingest's own statement, and what seals them.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { selectPartitions } from '../main/database/partitions.sql.ts'
import { createReading, type Reading, type ReadingContent } from '../readings/reading.ts'
import { storeReadings } from '../test-support.ts'
import { loadDuckdb } from './duckdb.ts'
import { createFolderStore, type FileStore } from './file-store.ts'
import type { SealingDeps, Week } from './seal-weeks.ts'
import { openSlowSession } from './sealing-session.ts'

/** The Monday of a week in which a month ends. */
export const WEEK_MS = Date.parse('2026-09-28T00:00:00.000Z')
export const DAY_MS = 86_400_000

export type About = { resellerId: string; vehicleId: string; sourceId?: string; subClientId?: string; kind?: Reading['kind'] }

export function reading(about: About, recordedAtMs: number, content: Partial<ReadingContent> = {}): Reading {
  const { resellerId, vehicleId, sourceId = vehicleId, subClientId, kind = 'telemetry' } = about
  const deviceId = sourceId.startsWith('dev-') ? sourceId.split('.')[0] : undefined
  const whole = { recordedAtMs, position: undefined, signals: {}, attributes: {}, implausible: [], ...content }
  return createReading(whole, { kind, resellerId, sourceId, deviceId, vehicleId, subClientId, receivedAtMs: recordedAtMs + 300 })
}

export async function store(database: Database, readings: readonly Reading[]): Promise<void> {
  for (let at = 0; at < readings.length; at += 5_000) await storeReadings(database, readings.slice(at, at + 5_000))
}

export async function insertVehicle(database: Database, resellerId: string, vehicleId: string): Promise<void> {
  await database.systemPool.query('insert into vehicles (reseller_id, vehicle_id, created_at) values ($1, $2, now())', [
    resellerId,
    vehicleId,
  ])
}

/** Weeks of the readings of which every one was recorded before. */
export async function weeksBefore(database: Database, before: Date, from = new Date(0)): Promise<Week[]> {
  const partitions = await selectPartitions(database.systemPool, 'readings')
  return partitions.flatMap((each) =>
    each.from !== undefined && each.to <= before && each.from >= from ? [{ partition: each.name, from: each.from, to: each.to }] : [],
  )
}

export async function temporaryFolder(t: CleanUp): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'history-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function requireDuckdb() {
  return (await loadDuckdb()) ?? assert.fail('DuckDB is an optional dependency, and tests need it')
}

export async function sealingDeps(t: CleanUp, database: Database, slowUrl: string, fileStore?: FileStore): Promise<SealingDeps> {
  const slow = await openSlowSession(slowUrl)
  t.after(slow.end)
  return { database, slowDb: slow.db, store: fileStore ?? createFolderStore(await temporaryFolder(t)), duckdb: await requireDuckdb() }
}

/** Where nothing may go wrong. */
export function failOn(error: unknown): never {
  assert.fail(String(error))
}
