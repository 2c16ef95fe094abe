// Goal: an import that is killed at any moment is run again, and then everything is there once. Method: the command line as a process of its own, killed while it stores rows and
// while it writes files of the history; then run to its end.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { mondayMs } from '@roadworthy/service-kit/time/weeks'
import { DAY_MS } from '../history/test-history.ts'
import { TEST_SECRET_KEY } from '../test-support.ts'
import { IMEI, openFleet, RECENT_MS, sealOldWeeks } from './test-backfill.ts'

const BIN = path.join(import.meta.dirname, '../../../../apps/cli/bin/roadworthy.js')
const HOT_COUNT = 20_000
/** So many that an import has not come to its end when it is stopped after its first. */
const STOPPED_COUNT = 200_000
/** A minute apart: of one week there are more than a page. */
const OLD_COUNT = 5_000
/** Written after that one, with a reading each: so many that an import is at them still when this process, on a busy machine, sees that it is to be killed. */
const LATER_WEEKS = 24
const POLL_MS = 5
const WAIT_MS = 60_000

const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

test('everything is there once after imports that were killed', async (t) => {
  const fleet = await openFleet(t)
  const { database, folder, ownerUrl, write } = fleet
  await sealOldWeeks(t, fleet)
  const line = (ms: number, speed: number) => `${IMEI},${new Date(ms).toISOString()},${speed}`
  const oldMs = mondayMs(Date.now() - 250 * DAY_MS)
  const old = [
    ...Array.from({ length: OLD_COUNT }, (_, nth) => line(oldMs + nth * 60_000, nth % 90)),
    ...Array.from({ length: LATER_WEEKS }, (_, nth) => line(oldMs + (nth + 1) * 7 * DAY_MS, nth)),
  ]
  const hot = Array.from({ length: HOT_COUNT }, (_, nth) => line(RECENT_MS + nth * 1_000, nth % 90))
  const file = write(`device_id,timestamp,speed\n${[...old, ...hot].join('\n')}\n`)
  const start = () => {
    const args = [BIN, 'import', '--csv', file, '--reseller', 'acme', '--data-dir', path.join(folder, 'data'), '--json']
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: ownerUrl,
      SECRET_KEY: TEST_SECRET_KEY,
      HISTORY_DIR: path.join(folder, 'history'),
    }
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    return child
  }
  const hotCount = `(select count(*) from readings where reseller_id = 'acme')`
  const fileCount = `(select count(*) from sealed_readings_files where reseller_id = 'acme')`
  const killWhen = async (condition: string) => {
    const child = start()
    const ended = once(child, 'exit')
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const { rows } = await database.systemPool.query<{ is_so: boolean }>(`select ${condition} as is_so`)
      if (rows[0]?.is_so === true) break
      assert.ok(waitedMs < WAIT_MS && child.exitCode === null, `${condition} did not come: ${child.exitCode}`)
      await sleep(POLL_MS)
    }
    child.kill('SIGKILL')
    assert.deepEqual(await ended, [null, 'SIGKILL'])
  }
  await killWhen(`${hotCount} > 0`)
  await killWhen(`${fileCount} > 0`)
  await killWhen(`${fileCount} > 1`)
  const child = start()
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  assert.equal(code, 0, stderr)
  const count = HOT_COUNT + old.length
  const { readings, stored, known } = JSON.parse(stdout) as Record<string, number>
  assert.deepEqual([readings, (stored ?? 0) + (known ?? 0)], [count, count])
  assert.ok((known ?? 0) > 0)
  const live = `(select sum(reading_count)::int from sealed_readings_files where reseller_id = 'acme' and state = 'live')`
  const { rows } = await database.systemPool.query(`select ${hotCount}::int as hot, ${live} as old`)
  assert.deepEqual(rows, [{ hot: HOT_COUNT, old: old.length }])
  assert.equal((await fleet.importCsv(`device_id,timestamp,speed\n${old[7]}\n${hot[7]}\n`)).stored?.newCount, 0)
})

test('an import that is stopped by Ctrl+C reports what it stored, and that it goes on', async (t) => {
  const { database, folder, ownerUrl, write } = await openFleet(t)
  const lines = Array.from(
    { length: STOPPED_COUNT },
    (_, nth) => `${IMEI},${new Date(RECENT_MS + nth * 1_000).toISOString()},${nth % 90}\n`,
  )
  const file = write(`device_id,timestamp,speed\n${lines.join('')}`)
  const args = [BIN, 'import', '--csv', file, '--reseller', 'acme', '--data-dir', path.join(folder, 'data')]
  const env = { PATH: process.env['PATH'], DATABASE_URL: ownerUrl, SECRET_KEY: TEST_SECRET_KEY }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  const countStored = async () => {
    const { rows } = await database.systemPool.query<{ n: number }>(`select count(*)::int as n from readings where reseller_id = 'acme'`)
    return rows[0]?.n ?? 0
  }
  for (let waitedMs = 0; (await countStored()) === 0; waitedMs += POLL_MS) {
    assert.ok(waitedMs < WAIT_MS && child.exitCode === null, 'nothing is stored')
    await sleep(POLL_MS)
  }
  child.kill('SIGINT')
  const [stdout, stderr, exit] = await ended
  assert.deepEqual([stdout, exit], ['', [130, null]])
  const stored = await countStored()
  assert.ok(stored < STOPPED_COUNT, 'it was stopped too late')
  assert.match(stderr, new RegExp(`Stopped. ${stored} new readings are stored, and stay. Run the same command again to go on`))
})
