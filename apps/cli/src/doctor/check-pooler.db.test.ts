import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onOnePostgres, openTestDatabase, TEST_SECRET_KEY } from '@roadworthy/platform/test-support'
import { checkPooler } from './check-pooler.ts'

// Goal: what keeps the service from working through its pooler is found. Method: PostgreSQL itself in the pooler's place.
test(
  'a pooler is looked at as both roles of the service, and for the database that it leads to',
  onOnePostgres('no passwords there'),
  async (t) => {
    const { ownerUrl } = await openTestDatabase(t)
    const other = await openTestDatabase(t)
    const check = async (poolerUrl: string, secretKey: string | undefined = TEST_SECRET_KEY) => {
      const { status, detail } = await checkPooler({ poolerUrl, ownerUrl, secretKey })
      return `${status}: ${detail}`
    }
    const changed = (part: 'pathname' | 'host', value: string) => Object.assign(new URL(ownerUrl), { [part]: value }).href
    assert.match(await check(ownerUrl), /^ok: .* lets in both roles/)
    assert.match(await check(other.ownerUrl), /^wrong: .*another database than DATABASE_SESSION_URL/)
    assert.match(await check(changed('pathname', '/nowhere')), /^wrong: .*nowhere/)
    assert.match(await check(changed('host', '127.0.0.1:1')), /^wrong: 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/)
    assert.match(await check(ownerUrl, 'another key, of 32 characters or more'), /^wrong: .*password authentication failed/)
    const { status } = await checkPooler({ poolerUrl: ownerUrl, ownerUrl, secretKey: undefined })
    assert.equal(status, 'skipped')
  },
)
