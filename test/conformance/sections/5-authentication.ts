import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../support/running-platform.ts'
import { type Caller, callerAt, ok, type Row, refused, type Service, type Tenant } from '../../support/service.ts'

export function authenticationSection(service: Service): void {
  /** A key that was accepted, and has expired since. One that expired before its first call proves nothing: the next one has longer. */
  async function expiredKey(tenant: Tenant): Promise<string> {
    for (let lifeMs = 400; lifeMs < 60_000; lifeMs *= 2) {
      const expiresAtMs = Date.now() + lifeMs
      const { secret } = await tenant.makeKey({ scopes: ['*'], expiresAt: new Date(expiresAtMs).toISOString() })
      const answer = await callerAt(service.baseUrl, secret)('GET', '/api/external/devices')
      if (answer.status !== 200 && Date.now() >= expiresAtMs) continue
      ok(answer)
      await sleep(expiresAtMs + 100 - Date.now())
      return secret
    }
    return assert.fail('no key was accepted before it expired')
  }
  const open = callerAt(service.baseUrl, null)
  const withBearer =
    (key: string): Caller =>
    (method, path, options) =>
      open(method, path, { ...options, headers: { authorization: `Bearer ${key}` } })

  suite('5 Authentication', () => {
    test('both headers work on both surfaces; health of the External API needs neither', async () => {
      const { key } = await service.newTenant()
      for (const path of ['/api/external/devices', '/api/v1/vehicles']) {
        ok(await callerAt(service.baseUrl, key)('GET', path))
        ok(await withBearer(key)('GET', path))
        ok(await open('GET', path, { headers: { authorization: `bearer ${key}` } }))
      }
      ok(await open('GET', '/api/external/health'))
    })

    test('no key and a key in another place are answered with how to send one, a wrong and an expired one are 401 alike, with a challenge', async () => {
      const tenant = await service.newTenant()
      const expiring = await expiredKey(tenant)
      for (const [path, surface] of [
        ['/api/external/devices', 'external'],
        ['/api/v1/vehicles', 'platform'],
      ] as const) {
        const basic = `Basic ${Buffer.from(`x:${tenant.key}`).toString('base64')}`
        const answers: readonly [answer: Answer, reason: string][] = [
          [await open('GET', path), 'missing'],
          [await open('GET', `${path}?api_key=${tenant.key}`), 'missing'],
          [await open('GET', path, { headers: { authorization: basic } }), 'scheme'],
          [await callerAt(service.baseUrl, 'rw_live_wrong')('GET', path), 'not_valid'],
          [await callerAt(service.baseUrl, expiring)('GET', path), 'not_valid'],
        ]
        for (const [answer, reason] of answers) {
          assert.match(answer.headers.get('www-authenticate') ?? '', /Bearer/)
          const { message, details } = refused(answer, 401, 'invalid_api_key', surface)
          assert.equal((details as Row)['reason'], reason)
          if (reason !== 'not_valid') assert.match(String(message), /X-API-Key: <key> or Authorization: Bearer <key>/)
        }
        const wrong = answers
          .filter(([, reason]) => reason === 'not_valid')
          .map(([answer]) => refused(answer, 401, 'invalid_api_key', surface))
        assert.equal(new Set(wrong.map(({ request_id, ...error }) => JSON.stringify(error))).size, 1)
      }
    })

    test('a key has the documented form, and a legacy key with sandbox:* remains full access', async () => {
      const tenant = await service.newTenant()
      const { secret } = await tenant.makeKey({ scopes: ['sandbox:*'] })
      assert.match(secret, /^rw_live_[0-9A-Za-z]{36}$/)
      const external = callerAt(`${service.baseUrl}/api/external`, secret)
      ok(await external('POST', '/sub-clients', { body: { name: 'a' } }))
      ok(await external('GET', '/predictions'))
    })

    test('sub_clients:manage includes reading them', async () => {
      const tenant = await service.newTenant()
      const { secret } = await tenant.makeKey({ scopes: ['sub_clients:manage'] })
      ok(await callerAt(`${service.baseUrl}/api/external`, secret)('GET', '/sub-clients'))
    })

    test('an active or trialing subscription is let in, any other asked to subscribe', async () => {
      for (const subscription of ['active', 'trialing']) {
        const tenant = await service.newTenant({ subscription })
        ok(await tenant.external('GET', '/devices'))
      }
      for (const subscription of ['past_due', 'canceled']) {
        const tenant = await service.newTenant({ subscription })
        const error = refused(await tenant.external('GET', '/devices'), 403, 'subscription_required')
        assert.equal(error['action_required'], 'subscribe')
        const platform = refused(await tenant.platform('GET', '/vehicles'), 403, 'subscription_required', 'platform')
        assert.equal(platform['action_required'], 'subscribe')
      }
    })

    test('a key cannot make one that may do more than itself', async () => {
      const tenant = await service.newTenant()
      ok(await tenant.external('POST', '/sub-clients', { body: { name: 'one' } }))
      const pinned = await tenant.makeKey({ scopes: ['*'], subClientId: 'one' })
      const platform = callerAt(`${service.baseUrl}/api/v1`, pinned.secret)
      const made = ok<{ apiKey: Row }>(await platform('POST', '/api-keys', { body: { name: 'x', scopes: ['*'] } }))
      assert.equal(made.apiKey['subClientId'], 'one')
      const { secret } = await tenant.makeKey({ scopes: ['devices:write'] })
      refused(
        await callerAt(`${service.baseUrl}/api/v1`, secret)('POST', '/api-keys', { body: { name: 'x', scopes: ['devices:write'] } }),
        403,
        'missing_scope',
        'platform',
      )
    })
  })
}
