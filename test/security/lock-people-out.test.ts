// Goal: whoever tries passwords, from however many addresses, shuts out nobody who signed in from their place before, and learns nothing by
// it. Method: the real routes of two processes on one database, with real password hashing.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SignInRate } from '@roadworthy/platform/people/sign-in-rate'
import { createUser } from '@roadworthy/platform/people/users'
import { insertResellerWithKey, lastFirst, openTestApi } from '@roadworthy/platform/surfaces/test-api'
import { openTestDatabase, TEST_SECRET_KEY } from '@roadworthy/platform/test-support'

const PASSWORD = 'correct horse battery'
const HOME = '2001:db8:aaaa:1::7'
/** Another address that the same line was given since. */
const HOME_TODAY = '2001:db8:aaaa:1:99::3'

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
/** A clock that stands still: hashing takes long enough for limits to let go. */
const startedAt = new Date()
const now = () => startedAt
const [one, other] = [await openTestApi(cleanUp, database, { now }), await openTestApi(cleanUp, database, { now })] as const
await insertResellerWithKey(database, 'acme')
const newUser = (email: string) => createUser(database, { resellerId: 'acme', email, password: PASSWORD }, new Date())

function signIn(api: typeof one, email: string, password: string, remoteAddress: string, headers: Record<string, string> = {}) {
  return api.app.inject({ method: 'POST', url: '/api/v1/session', remoteAddress, headers, payload: { email, password } })
}

/** Sends 300 wrong passwords at once, and the right one behind them; returns how the wrong ones ended, by the time the right one was in. */
async function signInBehind(wrong: (i: number) => { email: string; address: string }, person: { email: string; address: string }) {
  const ended: number[] = []
  const flood = Array.from({ length: 300 }, async (_, i) => {
    const { email, address } = wrong(i)
    ended.push((await signIn(one, email, `guess ${i}`, address)).statusCode)
  })
  const { statusCode } = await signIn(one, person.email, PASSWORD, person.address)
  const checkedBefore = ended.filter((status) => status === 401).length
  await Promise.all(flood)
  return { statusCode, checkedBefore, ended }
}

test('an owner whose account is tried from 300 address blocks signs in from home before those that wait', async () => {
  const { email } = await newUser('owner@acme.example')
  assert.equal((await signIn(other, email, PASSWORD, HOME)).statusCode, 200)
  const wrong = (i: number) => ({ email, address: `2001:db8:${(i + 1).toString(16)}::1` })
  const { statusCode, checkedBefore, ended } = await signInBehind(wrong, { email, address: HOME_TODAY })
  assert.equal(statusCode, 200)
  assert.ok(checkedBefore <= 2, `${checkedBefore} wrong ones were checked before`)
  assert.deepEqual([...new Set(ended)].sort(), [401, 503])
})

test('neither does one address that tries 300 accounts hold up a person elsewhere who is new there', async () => {
  const { email } = await newUser('new@acme.example')
  const wrong = (i: number) => ({ email: `${i}@acme.example`, address: '198.51.100.7' })
  const { statusCode, checkedBefore } = await signInBehind(wrong, { email, address: '203.0.113.9' })
  assert.equal(statusCode, 200)
  assert.ok(checkedBefore <= 2, `${checkedBefore} wrong ones were checked before`)
})

test('whoever tries passwords from behind the same address shuts out no browser that was signed in before, and cannot pass for one', async () => {
  const [{ email }, stranger] = [await newUser('shared@acme.example'), await newUser('stranger@acme.example')]
  const browserOf = (answer: Awaited<ReturnType<typeof signIn>>) => {
    const cookie = answer.cookies.find(({ name }) => name === 'rw_browser')
    assert.ok(cookie?.httpOnly && cookie.sameSite === 'Strict', answer.body)
    return `rw_browser=${cookie.value}`
  }
  const office = '203.0.113.77'
  const theirs = browserOf(await signIn(one, email, PASSWORD, office))
  const others = browserOf(await signIn(one, stranger.email, PASSWORD, office))
  await Promise.all(Array.from({ length: 60 }, (_, i) => signIn(one, email, `guess ${i}`, office)))
  const statusWith = async (cookie: string) => (await signIn(one, email, PASSWORD, office, { cookie })).statusCode
  assert.equal(await statusWith('rw_other=1'), 429)
  for (const madeUp of [others, theirs.slice(0, -1), `${theirs.slice(0, -4)}0000`, 'rw_browser='])
    assert.equal(await statusWith(madeUp), 429)
  assert.equal(await statusWith(theirs), 200)
})

test('attempts through all processes are one count, and neither a wrong one nor a session that was stolen makes a place or a limit of its own', async () => {
  const { email } = await newUser('counted@acme.example')
  const place = { email, address: '203.0.113.61' }
  const rate = new SignInRate({ database, now, secretKey: TEST_SECRET_KEY })
  const isKnown = async () => (await rate.recognise(place)).isKnown
  assert.equal((await signIn(one, email, 'guess', place.address)).statusCode, 401)
  assert.equal(await isKnown(), false)
  for (let i = 0; i < 8; i++) await rate.take(place, false)
  const tenth = await signIn(other, email, PASSWORD, place.address)
  assert.deepEqual([tenth.statusCode, await isKnown()], [200, true])
  assert.equal((await signIn(one, email, PASSWORD, place.address)).statusCode, 429)
  // By who has the cookie and guesses at the password.
  const change = await one.app.inject({
    method: 'PUT',
    url: '/api/v1/session/password',
    remoteAddress: place.address,
    headers: { cookie: tenth.cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
    payload: { current: 'guess', next: 'another battery horse' },
  })
  assert.equal(change.statusCode, 429, change.body)
})

test('an attempt that finds no slot gets one answer, whether there is such an account or not', async () => {
  const { email } = await newUser('asked@acme.example')
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => signIn(one, i % 2 === 0 ? email : 'nobody@acme.example', 'guess', `2001:db8:b:${i + 1}::1`)),
  )
  const bodiesOf = (parity: number) => {
    const bodies = answers
      .filter((_, i) => i % 2 === parity)
      .map(({ statusCode, body }) => `${statusCode} ${body.replace(/"request_id":"[^"]*"/, '')}`)
    return [...new Set(bodies)].sort()
  }
  assert.deepEqual(bodiesOf(0), bodiesOf(1))
})
