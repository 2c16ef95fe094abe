import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Notifications } from '@roadworthy/service-kit/postgres/notifications'
import { defaultPlans } from '../limits/plans.ts'
import { KnownKeys } from './known-keys.ts'

const ROW = { name: 'k', prefix: 'rw_live_', last4: '0000', scopes: ['*'], plan: 'starter', subscription: 'active', created_at: new Date() }

/** Keys of a store that answers when the test lets it, and the handlers of the notifications. */
function createKeys() {
  const heard = new Map<string, (payload: string) => void>()
  const notifications: Notifications = {
    on: (channel, onMessage) => {
      heard.set(channel, onMessage)
      return () => {}
    },
    whenListening: async () => {},
    close: async () => {},
  }
  const answers: (() => void)[] = []
  const query = (_statement: string, [hashes]: [string[]]) =>
    new Promise((resolve) => {
      const rows = hashes.map((hash) => {
        const [resellerId, , subClientId = null] = hash.split('/')
        return { ...ROW, sha256_hex: hash, reseller_id: resellerId, key_id: hash, sub_client_id: subClientId }
      })
      answers.push(() => resolve({ rows, rowCount: rows.length }))
    })
  const database = { systemPool: { query } } as unknown as Database
  const keys = new KnownKeys({ database, notifications, now: () => new Date(0), plans: defaultPlans })
  return { keys, answers, change: (channel: string, payload: string) => heard.get(channel)?.(payload) }
}

const turn = () => new Promise(setImmediate)

test('what one reseller changes in bulk keeps no key of another out of memory', async () => {
  const { keys, answers, change } = createKeys()
  const found = keys.find('acme/1')
  await turn()
  for (let i = 0; i < 1_000; i++) for (const channel of ['fleet_changed', 'reseller_changed']) change(channel, 'rival')
  change('api_key_changed', 'rival/1')
  answers[0]?.()
  const known = await found
  assert.equal(known?.caller.resellerId, 'acme')
  assert.equal(keys.find('acme/1'), known)
  for (const channel of ['fleet_changed', 'reseller_changed']) change(channel, 'rival')
  assert.equal(keys.find('acme/1'), known)
})

test('a change of a reseller’s fleet has its keys of one sub-client read again, and not its others', async () => {
  const { keys, answers, change } = createKeys()
  const found = ['acme/1', 'acme/2/north', 'rival/3/north'].map((hash) => keys.find(hash))
  await turn()
  answers[0]?.()
  await Promise.all(found)
  change('fleet_changed', 'acme')
  assert.deepEqual(
    ['acme/1', 'acme/2/north', 'rival/3/north'].map((hash) => keys.find(hash) instanceof Promise),
    [false, true, false],
  )
})

test('10,000 keys are held, and the one that was read longest ago goes', async () => {
  const { keys, answers } = createKeys()
  const all = Array.from({ length: 10_001 }, (_, i) => keys.find(`acme/${i}`))
  await turn()
  for (let read = 0; read < 21; read++) {
    while (answers[read] === undefined) await turn()
    answers[read]?.()
  }
  await Promise.all(all)
  assert.deepEqual(
    [0, 1, 10_000].map((i) => keys.find(`acme/${i}`) instanceof Promise),
    [true, false, false],
  )
})

test('a key that changes while it is being read is read again', async () => {
  for (const [channel, payload] of [
    ['api_key_changed', 'acme/1'],
    ['reseller_changed', 'acme'],
  ] as const) {
    const { keys, answers, change } = createKeys()
    const found = keys.find('acme/1')
    await turn()
    change(channel, payload)
    answers[0]?.()
    await found
    assert.ok(keys.find('acme/1') instanceof Promise, channel)
  }
})
