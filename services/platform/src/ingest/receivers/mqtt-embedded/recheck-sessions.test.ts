import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FindOutdatedDevices, SessionRecheck } from './recheck-sessions.ts'
import { Session, Sessions, type SignedIn } from './sessions.ts'
import { topicsOf } from './topics.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Sessions of devices `dev-0`, `dev-1` and so on, and which of them were closed. */
function createSessions(count: number) {
  const sessions = new Sessions()
  const closed: string[] = []
  for (let i = 0; i < count; i++) {
    const sender = { resellerId: 'acme', deviceId: `dev-${i}` }
    const client = { close: () => closed.push(sender.deviceId) } as unknown as Session['client']
    const session = new Session(client, sender, topicsOf('fleet', sender))
    session.identity = { ...sender, imei: undefined }
    session.secretSha256 = Buffer.alloc(32)
    sessions.add(session)
  }
  return { sessions, closed }
}

async function recheckAll(sessions: Sessions, find: FindOutdatedDevices, until: () => boolean): Promise<void> {
  const recheck = new SessionRecheck(sessions, find, log)
  recheck.begin()
  while (!until()) await new Promise((resolve) => setTimeout(resolve, 5))
  await recheck.stop()
}

test('after a gap 20,000 devices are looked up 500 at a time, one step after the other, and only who lost access is closed', async () => {
  const { sessions, closed } = createSessions(20_000)
  const steps: number[] = []
  const seen = new Set<string>()
  let underWay = 0
  const find = async (signedIn: readonly SignedIn[]) => {
    assert.equal(++underWay, 1)
    steps.push(signedIn.length)
    for (const { deviceId } of signedIn) seen.add(deviceId)
    await new Promise(setImmediate)
    underWay--
    return new Set(signedIn.map(({ deviceId }) => deviceId).filter((deviceId) => deviceId.endsWith('7777')))
  }
  await recheckAll(sessions, find, () => seen.size === 20_000 && closed.length === 2)
  assert.deepEqual([steps.length, Math.max(...steps)], [40, 500])
  assert.deepEqual(closed, ['dev-7777', 'dev-17777'])
})

test('a store that is away closes nobody, and is asked again', async () => {
  const { sessions, closed } = createSessions(2)
  let attempts = 0
  const find = async () => {
    if (++attempts === 1) throw new Error('away')
    return new Set(['dev-1'])
  }
  await recheckAll(sessions, find, () => closed.length > 0)
  assert.deepEqual([attempts, closed], [2, ['dev-1']])
})

test('a gap during the work begins it anew', async () => {
  const { sessions, closed } = createSessions(1_500)
  let isRevoked = false
  const recheck = new SessionRecheck(
    sessions,
    async (signedIn) => {
      await new Promise(setImmediate)
      const answer = isRevoked ? ['dev-0'] : []
      // After the step in which it was looked up, and unheard.
      if (!isRevoked && signedIn.some(({ deviceId }) => deviceId === 'dev-0')) {
        isRevoked = true
        recheck.begin()
      }
      return new Set(answer.filter((id) => signedIn.some(({ deviceId }) => deviceId === id)))
    },
    log,
  )
  recheck.begin()
  while (closed.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await recheck.stop()
  assert.deepEqual(closed, ['dev-0'])
})
