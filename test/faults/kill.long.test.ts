// Goal: what was acknowledged is stored, once, whatever is killed and when; and nothing needs a person afterwards. Method: devices send
// readings over REST and MQTT QoS 1 and, as devices do, send again what was not acknowledged; meanwhile the service, its PostgreSQL or both
// are killed at random moments; at the end everything that is stored is read through the API and held against what was sent.

import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { RunningService } from '../e2e/running-service.ts'
import { acknowledgedCount, addressOf, audit, loadFor, loadUntilLoad, register } from './fleet-under-load.ts'
import { findPostmaster, postmasterOf } from './running-database.ts'

const VICTIMS = ['service', 'postgres', 'both'] as const
const ROUNDS = 6
const MIN_LOAD_MS = 300
const MAX_LOAD_MS = 2_500
const DEVICES = { rest: 4, mqtt: 4 }
const READY_WITHIN_MS = 180_000

async function becomesReady(baseUrl: string, dataDir: string, killed: number): Promise<number> {
  const startedAtMs = performance.now()
  let last = ''
  while (performance.now() - startedAtMs < READY_WITHIN_MS) {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch((error) => error)
    last = response instanceof Response ? `${response.status} ${await response.text()}` : String(response)
    // Sessions of the one that was killed may go on for a moment, and answer until its file is another's.
    if (last.startsWith('200 ') && ![undefined, killed].includes(findPostmaster(dataDir))) return performance.now() - startedAtMs
    await sleep(20)
  }
  return assert.fail(`not ready again within ${READY_WITHIN_MS} ms: ${last}`)
}

test('nothing acknowledged is lost or doubled when the service, PostgreSQL or both are killed, and both come back by themselves', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-kill-'))
  // Run as root, PostgreSQL belongs to another account, which must be able to enter.
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'data')
  let service = new RunningService(dataDir)
  t.after(async () => {
    await service.signal('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })
  await service.ready()
  const baseMs = Date.now() - 3_600_000
  const senders = await register(addressOf(service), baseMs, DEVICES)
  for (let round = 0; round < ROUNDS; round++) {
    const victim = VICTIMS[round % VICTIMS.length]
    const loadMs = Math.round(MIN_LOAD_MS + Math.random() * (MAX_LOAD_MS - MIN_LOAD_MS))
    const address = addressOf(service)
    const postmaster = postmasterOf(dataDir)
    let isOver = false
    const load = loadFor(senders, address, () => isOver)
    let recoveryMs = 0
    try {
      await sleep(loadMs)
      if (victim !== 'service') process.kill(postmaster, 'SIGKILL')
      if (victim !== 'postgres') await service.signal('SIGKILL')
      else recoveryMs = await becomesReady(address.baseUrl, dataDir, postmaster)
    } finally {
      isOver = true
      await load
    }
    const startedAtMs = performance.now()
    if (victim !== 'postgres') {
      service = new RunningService(dataDir)
      await service.ready()
    }
    const took = victim === 'postgres' ? recoveryMs : performance.now() - startedAtMs
    t.diagnostic(
      `round ${round}: ${victim} killed after ${loadMs} ms, ${acknowledgedCount(senders)} acknowledged so far, ready again in ${Math.round(took)} ms`,
    )
  }
  await loadUntilLoad(senders, addressOf(service), MAX_LOAD_MS)
  await audit(t, senders, addressOf(service), baseMs)
})
