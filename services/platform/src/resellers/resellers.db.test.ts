import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemAuthor } from '../audit/audit.ts'
import { isPassword } from '../people/password.ts'
import { createTestUser } from '../people/test-users.ts'
import { openTestDatabase } from '../test-support.ts'
import { selectAllResellersAcrossResellers } from './resellers.sql.ts'
import { createReseller, requireReseller, updateReseller } from './resellers.ts'

const { database } = await openTestDatabase({ after })
const now = new Date('2026-03-01T12:00:00.000Z')
const change = (slug: string, changes: Parameters<typeof updateReseller>[2]) =>
  updateReseller(database, slug, changes, systemAuthor(slug, now))

test('a reseller starts as enterprise and active, and its slug is taken once', async () => {
  const created = await createReseller(database, { slug: 'acme', name: ' Acme Ltd ' }, now)
  assert.deepEqual(created, {
    resellerId: 'acme',
    name: 'Acme Ltd',
    plan: 'enterprise',
    subscription: 'active',
    timeZone: 'Asia/Kolkata',
    deviceVehicleLimit: 0,
    maintenanceLeadDays: 7,
    createdAt: now,
  })
  assert.deepEqual(await requireReseller(database, 'acme'), created)
  assert.deepEqual(await selectAllResellersAcrossResellers(database.systemPool), [created])
  await assert.rejects(createReseller(database, { slug: 'acme', name: 'Other' }, now), { code: 'already_exists' })
})

test('plan and standing change alone and together; what is not given stays', async () => {
  await createReseller(database, { slug: 'changing', name: 'Changing' }, now)
  assert.equal((await change('changing', { plan: 'starter' })).subscription, 'active')
  const updated = await change('changing', { subscription: 'past_due', name: 'Changed' })
  assert.deepEqual([updated.plan, updated.subscription, updated.name], ['starter', 'past_due', 'Changed'])
})

test('how many vehicles devices may create is a whole number up to 100,000, and stays when something else is changed', async () => {
  await createReseller(database, { slug: 'creating', name: 'Creating' }, now)
  for (const deviceVehicleLimit of [-1, 1.5, 100_001, Number.NaN]) {
    await assert.rejects(change('creating', { deviceVehicleLimit }), { code: 'invalid_request' })
  }
  await change('creating', { deviceVehicleLimit: 100_000 })
  assert.equal((await change('creating', { name: 'Changed' })).deviceVehicleLimit, 100_000)
})

test('a time zone is one of the IANA database', async () => {
  const made = await createReseller(database, { slug: 'zoned', name: 'Z', timeZone: 'Europe/Berlin' }, now)
  assert.equal(made.timeZone, 'Europe/Berlin')
  for (const timeZone of ['+05:30', 'Berlin', '']) {
    await assert.rejects(change('zoned', { timeZone }), { code: 'invalid_request', message: /is no time zone/ })
  }
})

test('slugs, names, plans and standings that cannot be are refused by name', async () => {
  for (const slug of ['', 'Acme', 'a b', 'ä', 'x'.repeat(65), "a'; drop table resellers"]) {
    await assert.rejects(createReseller(database, { slug, name: 'x' }, now), { code: 'invalid_request' })
  }
  await assert.rejects(createReseller(database, { slug: 'x', name: '  ' }, now), { code: 'invalid_request' })
  await assert.rejects(change('acme', { plan: 'platinum' }), /One of: starter, professional, enterprise/)
  await assert.rejects(change('acme', { subscription: 'paid' }), /One of: trialing, active, past_due, canceled/)
  assert.equal((await requireReseller(database, 'acme')).maintenanceLeadDays, 7)
  for (const maintenanceLeadDays of [0, 90]) {
    assert.equal((await change('acme', { maintenanceLeadDays })).maintenanceLeadDays, maintenanceLeadDays)
  }
  for (const maintenanceLeadDays of [-1, 91, 1.5, Number.NaN]) {
    await assert.rejects(change('acme', { maintenanceLeadDays }), /from 0 to 90/)
  }
  for (const slug of ['nobody', "a'b"]) {
    await assert.rejects(change(slug, { plan: 'starter' }), { code: 'not_found' })
    await assert.rejects(requireReseller(database, slug), { code: 'not_found' })
  }
})

test('a user is stored with a hash that only the password opens, and an e-mail address is taken once, whatever its case', async () => {
  await createReseller(database, { slug: 'people', name: 'People' }, now)
  await createTestUser(database, { resellerId: 'people', email: ' Ann@Example.com ', password: 'correct horse battery' }, now)
  const { rows } = await database.systemPool.query<{ email: string; password_scrypt: string; role: string }>(
    "select email, password_scrypt, role from users where reseller_id = 'people'",
  )
  assert.deepEqual([rows[0]?.email, rows[0]?.role], ['ann@example.com', 'owner'])
  assert.equal(await isPassword('correct horse battery', rows[0]?.password_scrypt ?? ''), true)
  assert.equal(await isPassword('correct horse batterY', rows[0]?.password_scrypt ?? ''), false)
  const again = { resellerId: 'acme', email: 'ANN@example.com', password: 'another password' }
  await assert.rejects(createTestUser(database, again, now), { code: 'already_exists' })
  await assert.rejects(createTestUser(database, { ...again, email: 'nobody' }, now), { code: 'invalid_request' })
  await assert.rejects(createTestUser(database, { ...again, email: 'bob@example.com', password: 'short' }, now), {
    code: 'invalid_request',
  })
})
