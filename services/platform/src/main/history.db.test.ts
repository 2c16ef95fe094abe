// Goal: readings that are old enough go into files by a process that ends, and files past their retention go away. Real PostgreSQL, files and process.

import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { expireFiles } from '../history/expire-files.ts'
import { createFolderStore } from '../history/file-store.ts'
import { selectLiveFiles, selectSealedAcrossResellers, trySealingTurn } from '../history/sealed-files.sql.ts'
import { DAY_MS, insertVehicle, reading, sealingDeps, store, temporaryFolder, WEEK_MS } from '../history/test-history.ts'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { openHistoryAt, sealWhatIsDue, weeksDue } from './history.ts'

const VEHICLE = 'veh-aaaaaaaaaa'

async function start(t: Parameters<typeof temporaryFolder>[0], nowMs: number) {
  const { database, ownerUrl } = await openTestDatabase(t, new Date(WEEK_MS))
  await insertReseller(database, 'acme')
  await insertVehicle(database, 'acme', VEHICLE)
  const about = { resellerId: 'acme', vehicleId: VEHICLE }
  await store(
    database,
    [0, 1, 2].map((week) => reading(about, WEEK_MS + week * 7 * DAY_MS, { signals: { coolantTempC: 80 + week } })),
  )
  const urls = databaseUrls(ownerUrl, TEST_SECRET_KEY)
  const folder = await temporaryFolder(t)
  const logged: string[] = []
  const failures = { count: 0 }
  const log = (level: string) => (details: unknown, text?: string) =>
    void logged.push(`${level}: ${text ?? String(details)} ${JSON.stringify(details)}`)
  const open = async (at = folder) => {
    const history = await openHistoryAt(
      { kind: 'folder', folder: at },
      {
        ...{ database, databaseUrls: urls, env: process.env, now: () => new Date(nowMs) },
        ...{
          hotDays: 35,
          retentionDays: 400,
          log: { info: log('info'), warn: log('warn'), error: log('error') },
          onTotals: () => undefined,
          isSealing: true,
          countFailure: () => void failures.count++,
        },
      },
    )
    t.after(() => history.stop())
    history.start()
    return history
  }
  return { database, urls, folder, logged, failures, open, about }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 2_400; turn++) {
    if (await holds()) return
    await delay(50)
  }
  assert.fail(`it never came to be that ${what}`)
}

test('weeks of which every reading is older than READINGS_HOT_DAYS are sealed, and younger ones are not', async (t) => {
  const nowMs = WEEK_MS + 14 * DAY_MS + 35 * DAY_MS
  const { database, logged, open, about } = await start(t, nowMs)
  const history = await open()
  await until('two weeks are sealed', async () => logged.filter((line) => line.includes('"readingCount":1')).length === 2)
  assert.deepEqual((await selectSealedAcrossResellers(database.systemPool))?.until, new Date(WEEK_MS + 14 * DAY_MS))
  assert.deepEqual(await weeksDue(database, new Date(nowMs - 35 * DAY_MS)), [])
  assert.equal((await weeksDue(database, new Date(nowMs - 28 * DAY_MS))).length, 1)
  const range = { from: new Date(WEEK_MS), to: new Date(nowMs) }
  const part = await history.past.open('acme', { vehicleId: VEHICLE, range })
  assert.equal(await part?.count({ vehicleId: VEHICLE, range, subClientPin: undefined, signals: undefined }), 2)
  assert.equal((await history.past.reading('acme', reading(about, WEEK_MS, { signals: { coolantTempC: 80 } })))?.signals.coolantTempC, 80)
  assert.equal(await history.past.reading('acme', reading(about, WEEK_MS, { signals: { coolantTempC: 81 } })), undefined)
})

test('a sealing that fails is counted, so that somebody is woken, and one that goes through is not', async (t) => {
  const { folder, failures, logged, open } = await start(t, WEEK_MS + 14 * DAY_MS + 35 * DAY_MS)
  const file = path.join(folder, 'file')
  await writeFile(file, '')
  await open(path.join(file, 'history'))
  await until('the failure is counted', async () => failures.count === 1)
  assert.match(logged.join('\n'), /error: readings wait to be sealed; it is tried again/)
  await open()
  await until('two weeks are sealed', async () => logged.filter((line) => line.includes('"readingCount":1')).length === 2)
  assert.equal(failures.count, 1)
})

test('files of which every reading is past its retention are not read any more, and then they are gone', async (t) => {
  const { database, urls, folder, open } = await start(t, WEEK_MS + 14 * DAY_MS + 35 * DAY_MS)
  const history = await open()
  await until('two files are live', async () => (await selectLiveFiles(database.systemPool, 'acme')).length === 2)
  await history.stop()
  const deps = await sealingDeps(t, database, urls.system, createFolderStore(folder))
  const expire = () => expireFiles(deps, new Date(WEEK_MS + 400 * DAY_MS + 1), 400)
  await expire()
  assert.equal((await selectLiveFiles(database.systemPool, 'acme')).length, 1)
  const files = async () => (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.parquet')).length
  assert.equal(await files(), 2, 'an answer may still be read from it')
  await database.systemPool.query(`update sealed_readings_files set state_since = now() - interval '1 hour' where state = 'replaced'`)
  await expire()
  assert.equal(await files(), 1)
})

test('sealing while another process does is answered as that, and not as if nothing were due', async (t) => {
  const nowMs = WEEK_MS + 14 * DAY_MS + 35 * DAY_MS
  const { database, urls, folder } = await start(t, nowMs)
  const { slowDb } = await sealingDeps(t, database, urls.system, createFolderStore(folder))
  assert.ok(await trySealingTurn(slowDb))
  const log = { info: () => undefined, warn: assert.fail, error: assert.fail } as never
  const deps = { database, databaseUrls: urls, env: process.env, now: () => new Date(nowMs), log, hotDays: 35, retentionDays: 400 }
  const seal = async () => (await sealWhatIsDue(deps, { kind: 'folder', folder }, new AbortController().signal))?.length
  assert.equal(await seal(), undefined)
  await slowDb.query('select pg_advisory_unlock_all()')
  assert.ok(Number(await seal()) >= 2, 'the two weeks with readings, and those without any')
  assert.equal(await seal(), 0)
})

test('a sealing whose process cannot be started fails, and the service lives on', async (t) => {
  const nowMs = WEEK_MS + 14 * DAY_MS + 35 * DAY_MS
  const { database, urls, folder } = await start(t, nowMs)
  const log = { info: () => undefined, warn: assert.fail, error: assert.fail } as never
  const deps = { database, databaseUrls: urls, env: process.env, now: () => new Date(nowMs), log, hotDays: 35, retentionDays: 400 }
  const { execPath } = process
  // As while the program is installed anew.
  process.execPath = `${execPath}-gone`
  try {
    await assert.rejects(sealWhatIsDue(deps, { kind: 'folder', folder }, new AbortController().signal), { code: 'ENOENT' })
  } finally {
    process.execPath = execPath
  }
  // What it reports late is heard too.
  await delay(50)
})

test('a sealing that fails reports why in a sentence; where it failed is in the stack, for the log', async (t) => {
  const nowMs = WEEK_MS + 14 * DAY_MS + 35 * DAY_MS
  const { database, urls, folder } = await start(t, nowMs)
  const log = { info: () => undefined, warn: assert.fail, error: assert.fail } as never
  const deps = { database, databaseUrls: urls, env: process.env, now: () => new Date(nowMs), log, hotDays: 35, retentionDays: 400 }
  const file = path.join(folder, 'file')
  await writeFile(file, '')
  await assert.rejects(sealWhatIsDue(deps, { kind: 'folder', folder: file }, new AbortController().signal), ({ message, stack }: Error) => {
    assert.match(message, /^sealing failed: (EEXIST|ENOTDIR): [^\n]*$/)
    assert.match(stack ?? '', /seal-weeks\.ts|sealed-file\.ts|sealing-session\.ts/)
    return true
  })
})
