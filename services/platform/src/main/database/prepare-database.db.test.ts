// Goal: an operator who set DATABASE_URL wrongly reads which setting it was and what is wrong with it. Method: real refusals of a real server.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { createTestDatabase } from '@roadworthy/service-kit/postgres/test-database'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { connect } from '../../backup/snapshot.sql.ts'
import { onOnePostgres, TEST_SECRET_KEY } from '../../test-support.ts'
import { StartError } from '../start-error.ts'
import { explainUnanswered, prepareDatabase } from './prepare-database.ts'

async function refusalOf(url: string, poolerUrl?: string): Promise<string> {
  const preparing = prepareDatabase(url, { isGiven: true, poolerUrl, secretKey: TEST_SECRET_KEY, log: createLogger('silent') })
  const error = await preparing.then(
    () => assert.fail('it was prepared'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof StartError, String(error))
  assert.ok(!error.message.includes(new URL(url).password), error.message)
  return error.message
}

test(
  'a DATABASE_URL that nobody answers, that is refused, or that names no database is named in the error',
  onOnePostgres('the nodes of the tests ask for no password'),
  async (t) => {
    const { url } = await createTestDatabase(t)
    const changed = (part: 'password' | 'pathname' | 'host', value: string) => Object.assign(new URL(url), { [part]: value }).href
    assert.match(
      await refusalOf(changed('password', 'wrong-one')),
      /^DATABASE_URL is refused by 127\.0\.0\.1:\d+: password.*password right\?$/,
    )
    assert.match(
      await refusalOf(changed('pathname', '/nowhere')),
      /^DATABASE_URL names the database nowhere, which 127.* Create it first\.$/,
    )

    const server = createServer((socket) => socket.destroy())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const nobody = /^DATABASE_URL names 127\.0\.0\.1:\d+, where no PostgreSQL answers/
    assert.match(await refusalOf(changed('host', `127.0.0.1:${port}`)), nobody)
    server.close()
    await once(server, 'close')
    assert.match(await refusalOf(changed('host', `127.0.0.1:${port}`)), nobody)
  },
)

test(
  'with a pooler in between, the setting that is wrong is the one that is named: that of PostgreSQL itself, or that of the pooler',
  onOnePostgres('the nodes of the tests ask for no password'),
  async (t) => {
    const { url } = await createTestDatabase(t)
    const changed = (part: 'password' | 'pathname' | 'host', value: string) => Object.assign(new URL(url), { [part]: value }).href
    assert.match(await refusalOf(changed('pathname', '/nowhere'), url), /^DATABASE_SESSION_URL names the database nowhere/)
    assert.match(
      await refusalOf(changed('host', '127.0.0.1:1'), url),
      /^DATABASE_SESSION_URL names 127\.0\.0\.1:1, where no PostgreSQL answers/,
    )
    assert.match(
      await refusalOf(url, changed('host', '127.0.0.1:1')),
      /^DATABASE_URL names 127\.0\.0\.1:1, where no pooler answers \(ECONNREFUSED\)/,
    )
    assert.match(
      await refusalOf(url, changed('pathname', '/nowhere')),
      /^DATABASE_URL names 127.*refuses roadworthy_app.*have the database nowhere/,
    )
  },
)

test('a database that stops answering while the service starts is named as that', () => {
  for (const message of ['timeout exceeded when trying to connect', 'Query read timeout', 'Connection terminated unexpectedly']) {
    const explained = explainUnanswered(new Error(message))
    assert.ok(explained instanceof StartError)
    assert.match(explained.message, /^The database did not answer in time while the service started \(.*\)\. Start it again; /)
  }
  const other = new Error('something else')
  assert.equal(explainUnanswered(other), other)
})

test('a user who may not migrate is named with what it lacks', onOnePostgres('the nodes of the tests ask for no password'), async (t) => {
  const { url } = await createTestDatabase(t)
  const owner = await connect(url)
  const name = `modest_${process.pid}`
  await owner.query(`create role ${name} login password 'hush-hush'`)
  const refusal = await refusalOf(Object.assign(new URL(url), { username: name, password: 'hush-hush' }).href)
  await owner.query(`drop role ${name}`)
  await owner.end()
  assert.match(
    refusal,
    new RegExp(`^DATABASE_URL names the user ${name}, who may not do what migrations need: permission denied.*createrole`),
  )
})
