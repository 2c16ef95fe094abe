// Goal: whoever set DATABASE_URL wrongly reads which setting it was and what is wrong with it. Method: real refusals of a real server.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { createLogger } from '@roadworthy/service-kit/log'
import { createTestDatabase } from '@roadworthy/service-kit/test-database'
import { onOnePostgres, TEST_SECRET_KEY } from '../test-support.ts'
import { prepareDatabase } from './prepare-database.ts'
import { StartError } from './start-error.ts'

async function refusalOf(url: string): Promise<string> {
  const preparing = prepareDatabase(url, { isGiven: true, secretKey: TEST_SECRET_KEY, log: createLogger('silent') })
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
