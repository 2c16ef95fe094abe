// §7.2, the engine's, is in section 4.3; every code with its cause is in bad-input.test.ts and the sections of the resources.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ok, refused, type Service } from '../../support/service.ts'

export function errorsSection(service: Service): void {
  suite('7 Errors', () => {
    test('7.1: the Platform API answers {error: {code, message}} under the statuses and codes of the table', async () => {
      const tenant = await service.newTenant()
      refused(await tenant.platform('POST', '/telemetry', { body: {} }), 400, 'invalid_request', 'platform')
      refused(await tenant.platform('GET', '/vehicles', { headers: { authorization: 'Bearer wrong' } }), 401, 'invalid_api_key', 'platform')
      refused(await tenant.platform('GET', '/vehicles/unknown'), 404, 'not_found', 'platform')
      const limited = await service.newTenant({ key: { perMinute: 1 } })
      ok(await limited.platform('GET', '/vehicles'))
      refused(await limited.platform('GET', '/vehicles'), 429, 'rate_limit_exceeded', 'platform')
    })

    test('7.3: the External API answers 401, 403 and 429 with what the client libraries look for', async () => {
      const starter = await service.newTenant({ key: { perMinute: 1 } })
      ok(await starter.external('GET', '/devices'))
      const limited = refused(await starter.external('GET', '/devices'), 429, 'rate_limit_exceeded')
      assert.ok(Number.isInteger(limited['retry_after']) && Number(limited['retry_after']) >= 1 && Number(limited['retry_after']) <= 60)
      const canceled = await service.newTenant({ subscription: 'canceled' })
      assert.equal(refused(await canceled.external('GET', '/devices'), 403, 'subscription_required')['action_required'], 'subscribe')
    })

    test('every answer carries X-Request-Id: the caller’s own where it is well formed, else a new one', async () => {
      const tenant = await service.newTenant()
      const idOf = async (given: string) =>
        (await tenant.external('GET', '/devices', { headers: { 'x-request-id': given } })).headers.get('x-request-id')
      assert.equal(await idOf('my-own.id_1'), 'my-own.id_1')
      for (const odd of ['a b', '<script>', 'x'.repeat(65)]) assert.match((await idOf(odd)) ?? '', /^[0-9a-f-]{36}$/)
      const error = refused(
        await tenant.external('GET', '/devices/unknown', { headers: { 'x-request-id': 'mine' } }),
        404,
        'device_not_found',
      )
      assert.equal(error['request_id'], 'mine')
    })
  })
}
