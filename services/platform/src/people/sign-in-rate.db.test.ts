// Goal: what processes count of attempts to sign in is one count. Method: two of them on one database, with a clock held by hand.

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { KNOWN_FOR_MS, SignInRate } from './sign-in-rate.ts'
import { deleteOldSignInRatesAcrossResellers } from './sign-in-rates.sql.ts'
import { createTestUser } from './test-users.ts'

const HOUR_MS = 3_600_000
const PASSWORD = 'correct horse battery'
const TOO_MANY = { code: 'rate_limit_exceeded' }

let now = new Date('2026-03-01T12:00:00.000Z')
const { database } = await openTestDatabase({ after })
await insertReseller(database, 'acme')
const account = {
  resellerId: 'acme',
  ...(await createTestUser(database, { resellerId: 'acme', email: 'a@x.example', password: PASSWORD }, now)),
}
const deps = { database, now: () => now, secretKey: TEST_SECRET_KEY }
const processes = [new SignInRate(deps), new SignInRate(deps)] as const

/** Attempts go to one process after the other, as a load balancer sends them. */
async function takeAll(count: number, attemptOf: (i: number) => { address: string; email: string }, isKnown = false) {
  for (let i = 0; i < count; i++) await processes[i % 2 === 0 ? 0 : 1].take(attemptOf(i), isKnown)
}

beforeEach(() => {
  now = new Date(now.getTime() + 2 * HOUR_MS)
})

test('ten attempts a minute at one account from one address block, over all processes', async () => {
  const attempt = { address: '203.0.113.7', email: 'b@x.example' }
  await takeAll(10, () => attempt)
  for (const each of processes) await assert.rejects(each.take(attempt, false), { ...TOO_MANY, retryAfterS: 6 })
  // The same address as an IPv4-mapped one, as a socket that listens on IPv6 shows it.
  await assert.rejects(processes[1].take({ ...attempt, address: '::ffff:203.0.113.7' }, false), TOO_MANY)
  await processes[1].take({ ...attempt, address: '203.0.113.8' }, false)
  now = new Date(now.getTime() + 6_000)
  await processes[1].take(attempt, false)
})

test('sixty accounts a minute from one /64, over all processes; any number from this machine, which may be a proxy of many clients', async () => {
  await takeAll(60, (i) => ({ address: `2001:db8:1:2::${i}`, email: `${i}@x.example` }))
  await assert.rejects(processes[0].take({ address: '2001:db8:1:2:ffff::', email: '60@x.example' }, false), TOO_MANY)
  await processes[0].take({ address: '2001:db8:1:3::', email: '60@x.example' }, false)
  await takeAll(70, (i) => ({ address: '127.0.0.1', email: `${i + 100}@x.example` }))
})

test('strangers together try one account a hundred times an hour, and 10,000 other accounts tried meanwhile forgive nothing', async () => {
  const email = 'c@x.example'
  await takeAll(100, (i) => ({ address: `198.51.100.${i}`, email }))
  await database.systemPool.query(
    `insert into sign_in_rates select sha256(i::text::bytea), $1::timestamptz + interval '1 hour' from generate_series(1, 11000) i`,
    [now],
  )
  for (const each of processes) await assert.rejects(each.take({ address: '198.51.100.200', email }, false), TOO_MANY)
  await processes[0].take({ address: '203.0.113.7', email }, true)
  now = new Date(now.getTime() + HOUR_MS)
  await processes[0].take({ address: '198.51.100.201', email }, false)
})

test('an account and a block that it was signed in to from are known to each other in every process, for a while', async () => {
  const attempt = { address: '2001:db8:7:7::1', email: 'a@x.example' }
  await database.tenant('acme', (db) => processes[0].remember(db, account, attempt))
  const isKnown = async (change: object) => (await processes[1].recognise({ ...attempt, ...change })).isKnown
  assert.deepEqual(await Promise.all([isKnown({}), isKnown({ address: '2001:db8:7:7:8::' })]), [true, true])
  assert.deepEqual(await Promise.all([isKnown({ address: '2001:db8:7:8::1' }), isKnown({ email: 'b@x.example' })]), [false, false])
  now = new Date(now.getTime() + KNOWN_FOR_MS)
  assert.equal(await isKnown({}), false)
})

test('of one account the twenty networks of its last sign-ins are known, and none after its password changed', async () => {
  const at = (i: number) => ({ address: `203.0.113.${i}`, email: 'a@x.example' })
  for (let i = 0; i < 25; i++) {
    now = new Date(now.getTime() + 1_000)
    await database.tenant('acme', (db) => processes[0].remember(db, account, at(i)))
  }
  const known = async () => {
    const found = await Promise.all(Array.from({ length: 25 }, (_, i) => processes[1].recognise(at(i))))
    return found.flatMap(({ isKnown }, i) => (isKnown ? [i] : []))
  }
  const lastTwenty = Array.from({ length: 20 }, (_, i) => i + 5)
  assert.deepEqual(await known(), lastTwenty)
  await database.systemPool.query(`update users set password_scrypt = 'scrypt$2$8$1$AA$AA' where email = 'a@x.example'`)
  assert.deepEqual(await known(), [])
})

test('a browser is known to the account it was signed in to, at any address, for a while, and no longer than the password is the same', async () => {
  const [email, elsewhere] = ['a@x.example', '198.51.100.77']
  const remember = (browser?: string) =>
    database.tenant('acme', (db) => processes[0].remember(db, account, { address: '203.0.113.90', email, browser }))
  const recognise = async (token: string) => {
    const { place, isKnown } = await processes[1].recognise({ address: elsewhere, email, browser: processes[1].browserOf(token, email) })
    return [place.browser !== undefined, isKnown]
  }
  const token = await remember()
  assert.deepEqual(await recognise(token), [true, true])
  assert.equal(processes[1].browserOf(token, 'b@x.example'), undefined)
  // One that comes back keeps its name, so that it takes no second place.
  assert.equal(await remember(processes[0].browserOf(token, email)), token)
  now = new Date(now.getTime() + KNOWN_FOR_MS)
  assert.deepEqual(await recognise(token), [false, false])
  await remember(processes[0].browserOf(token, email))
  assert.deepEqual(await recognise(token), [true, true])
  // Whoever knew the password before is a stranger now, with limits of their address block and of all strangers.
  await database.systemPool.query(`update users set password_scrypt = 'scrypt$2$8$1$AA$AB' where email = $1`, [email])
  assert.deepEqual(await recognise(token), [false, false])
})

test('neither an e-mail nor a network address can be read from what is stored, and what is out of date is removed', async () => {
  await processes[0].take({ address: '203.0.113.99', email: 'secret.name@x.example' }, false)
  const { rows } = await database.systemPool.query<{ text: string }>(`select encode(name_hmac, 'escape') as text from sign_in_rates`)
  assert.ok(rows.length > 0)
  for (const { text } of rows) assert.doesNotMatch(text, /secret|203\.0/)
  now = new Date(now.getTime() + 2 * HOUR_MS)
  await deleteOldSignInRatesAcrossResellers(database.systemPool, now, 100_000)
  assert.deepEqual((await database.systemPool.query('select * from sign_in_rates')).rows, [])
})

test('a process whose clock is far ahead shuts nobody out for longer than the limit itself', async () => {
  const attempt = { address: '203.0.113.50', email: 'd@x.example' }
  const ahead = new SignInRate({ ...deps, now: () => new Date(now.getTime() + 24 * HOUR_MS) })
  await ahead.take(attempt, false)
  await processes[0].take(attempt, false)
})
