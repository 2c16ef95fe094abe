// Goal: SIGKILL at any moment, and the next start recovers by itself. Method: kill the service, and in every other round its PostgreSQL
// too, after pauses that together cover the whole start-up and the time after it; then one start must be ready with the first data.

import assert from 'node:assert/strict'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../support/until.ts'
import { leftOf, RunningService, readCommand } from './running-service.ts'

const PAUSES_MS = [100, 200, 300, 450, 600, 750, 900, 1100, 1300, 1600, 2000, 2500]

/** The server of the folder, if it runs. Its file is there before its number is in it, and stays when it was killed: another process may have the number by then. */
function readPostmaster(dataDir: string): number | undefined {
  const path = join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
  const pid = existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : Number.NaN
  return pid > 1 && readCommand(pid).includes(dataDir) ? pid : undefined
}

for (const [name, isFresh] of [
  ['a first start, killed at every stage', true],
  ['later starts, killed at every stage', false],
] as const) {
  test(`${name}: the next one is ready, with the same credentials, and one stop ends it all`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'roadworthy-recovery-'))
    chmodSync(folder, 0o755)
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    let apiKey: string | undefined
    if (!isFresh) {
      const first = new RunningService(join(folder, 'data'))
      await first.ready()
      apiKey = first.credentials().api_key
      await first.signal('SIGTERM')
    }
    for (const [round, pauseMs] of PAUSES_MS.entries()) {
      const dataDir = join(folder, isFresh ? `data-${round}` : 'data')
      const killed = new RunningService(dataDir)
      await sleep(pauseMs)
      const postmaster = round % 2 === 0 ? undefined : readPostmaster(dataDir)
      await killed.signal('SIGKILL')
      if (postmaster !== undefined && readCommand(postmaster).includes(dataDir)) process.kill(postmaster, 'SIGKILL')
      if (!isFresh) continue
      const next = new RunningService(dataDir)
      await next.ready()
      await until('it is ready', async () => (await fetch(`${next.credentials().base_url}/readyz`)).ok)
      assert.equal(await next.signal('SIGTERM'), 0)
    }
    if (isFresh) return
    const last = new RunningService(join(folder, 'data'))
    await last.ready()
    assert.equal(last.credentials().api_key, apiKey)
    const pids = last.processes()
    assert.equal(await last.signal('SIGTERM'), 0)
    assert.deepEqual(await leftOf(pids), [])
  })
}

test('lost credentials are made anew, since whoever holds the folder owns the data', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-recovery-'))
  chmodSync(folder, 0o755)
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const first = new RunningService(join(folder, 'data'))
  await first.ready()
  const lost = first.credentials()
  await first.signal('SIGTERM')
  rmSync(join(folder, 'data', 'credentials.json'))
  const second = new RunningService(join(folder, 'data'))
  await second.ready()
  const found = second.credentials()
  assert.equal(found.reseller_slug, lost.reseller_slug)
  assert.notEqual(found.api_key, lost.api_key)
  assert.match(second.stdout, /the API key .* are in .*credentials\.json/)
  assert.ok(!second.stdout.includes(found.api_key), 'what is not a terminal keeps no secret')
  assert.equal(await second.signal('SIGTERM'), 0)
})

test('for a user id that has no account it is reported what the database needs', {
  skip: process.getuid?.() !== 0 && 'needs root to become another',
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-recovery-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const account = { uid: 54_321, gid: 54_321 }
  chownSync(folder, account.uid, account.gid)
  const service = new RunningService(join(folder, 'data'), undefined, account)
  assert.equal(await service.exit(), 1)
  assert.match(service.stderr, /user does not exist\. Run as a user that \/etc\/passwd knows, or set DATABASE_URL\.$/m)
})
