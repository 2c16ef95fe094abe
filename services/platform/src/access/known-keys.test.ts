import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '@roadworthy/service-kit/db'
import type { Notifications } from '@roadworthy/service-kit/notifications'
import { KnownKeys } from './known-keys.ts'
import { defaultPlans } from './plans.ts'

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
      const rows = hashes.map((hash) => ({ ...ROW, sha256_hex: hash, reseller_id: hash.split('/')[0], key_id: hash, sub_client_id: null }))
      answers.push(() => resolve({ rows, rowCount: rows.length }))
    })
  const database = { systemPool: { query } } as unknown as Database
  const keys = new KnownKeys({ database, notifications, now: () => new Date(0), plans: defaultPlans })
  return { keys, answers, change: (channel: string, payload: string) => heard.get(channel)?.(payload) }
}

test('what one reseller changes in bulk keeps no key of another out of memory', async () => {
  const { keys, answers, change } = createKeys()
  const found = keys.find('acme/1')
  for (let i = 0; i < 1_000; i++) for (const channel of ['fleet_changed', 'reseller_changed']) change(channel, 'rival')
  change('api_key_changed', 'rival/1')
  answers[0]?.()
  const known = await found
  assert.equal(known?.caller.resellerId, 'acme')
  assert.equal(keys.find('acme/1'), known)
})

test('a key that changes while it is being read is read again', async () => {
  for (const [channel, payload] of [
    ['api_key_changed', 'acme/1'],
    ['reseller_changed', 'acme'],
  ] as const) {
    const { keys, answers, change } = createKeys()
    const found = keys.find('acme/1')
    change(channel, payload)
    answers[0]?.()
    await found
    assert.ok(keys.find('acme/1') instanceof Promise, channel)
  }
})
