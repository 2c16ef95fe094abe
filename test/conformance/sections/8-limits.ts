// The sizes of batches are in bad-input.test.ts and section 4.3. Time is not waited for: what was used before is put into the database.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilTaken } from '@roadworthy/platform/test-support'
import { isTestCluster } from '@roadworthy/service-kit/postgres/test-database'
import type { Answer } from '../../support/running-platform.ts'
import { callerAt, ok, type Row, refused, type Service, type Tenant } from '../../support/service.ts'

const remainingOf = ({ headers }: Answer) => {
  const [, policy, remaining, resetS] =
    /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? assert.fail(`${headers.get('ratelimit')}`)
  return { policy, remaining: Number(remaining), resetS: Number(resetS) }
}

export function limitsSection(service: Service): void {
  const today = () => new Date().toISOString().slice(0, 10)
  const useUp = (tenant: Tenant, meter: string, count: number) =>
    service.database.systemPool.query(
      'insert into usage_entries (reseller_id, sub_client_id, meter, bucket, count) values ($1, $2, $3, $4, $5)',
      [tenant.slug, '', meter, `${today()}T00:00:00Z`, count],
    )

  suite('8 Limits', () => {
    test('a key without limits of its own has 60 requests a minute and 5000 a day on the External API; the 61st is 429', async () => {
      const tenant = await service.newTenant()
      const { id, secret } = await tenant.makeKey({ scopes: ['*'], perMinute: null, perDay: null })
      // Of this moment, so that a slow machine makes the others within their minute.
      const usedBefore = 56
      await service.database.systemPool.query(
        'insert into rate_windows (reseller_id, key_id, recent_ms, day, day_count) values ($1, $2, $3, $4, $5)',
        [tenant.slug, id, Array(usedBefore).fill(Date.now()), today(), usedBefore],
      )
      const external = callerAt(`${service.baseUrl}/api/external`, secret)
      for (let i = usedBefore + 1; i <= 60; i++) {
        const answer = await external('GET', '/devices?limit=1')
        assert.equal(answer.status, 200, `request ${i}`)
        assert.equal(answer.headers.get('ratelimit-policy'), '"minute";q=60;w=60, "day";q=5000;w=86400')
        const { policy, remaining, resetS } = remainingOf(answer)
        assert.deepEqual([policy, remaining], ['minute', 60 - i])
        assert.ok(resetS >= 0 && resetS <= 60)
      }
      const answer = await external('GET', '/devices')
      const error = refused(answer, 429, 'rate_limit_exceeded')
      assert.ok(Number(error['retry_after']) >= 1 && Number(error['retry_after']) <= 60)
      assert.equal(remainingOf(answer).remaining, 0)
      // The defaults are those of the External API.
      ok(await callerAt(`${service.baseUrl}/api/v1`, secret)('GET', '/vehicles?limit=1'))
    })

    test('limits of the key itself hold instead, on both surfaces together; 0 is unlimited', async () => {
      const tenant = await service.newTenant()
      const { secret } = await tenant.makeKey({ scopes: ['*'], perMinute: 3, perDay: 0 })
      const call = callerAt(service.baseUrl, secret)
      for (const path of ['/api/external/devices', '/api/v1/vehicles', '/api/external/vehicles']) {
        const answer = await call('GET', path)
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('ratelimit-policy'), '"minute";q=3;w=60')
      }
      refused(await call('GET', '/api/external/devices'), 429, 'rate_limit_exceeded')
      refused(await call('GET', '/api/v1/vehicles'), 429, 'rate_limit_exceeded', 'platform')
      for (let i = 0; i < 100; i++) assert.equal((await tenant.external('GET', '/devices?limit=1')).headers.get('ratelimit'), null)
    })

    test('a batch is one request, and a refused request is none', async () => {
      const tenant = await service.newTenant()
      const { secret } = await tenant.makeKey({ scopes: ['*'], perMinute: 2, perDay: 0 })
      const external = callerAt(`${service.baseUrl}/api/external`, secret)
      const records = Array.from({ length: 100 }, (_, i) => ({ vehicle_id: 'truck', sensor_data: { rpm: i } }))
      assert.equal(remainingOf(await external('POST', '/telemetry/batch', { body: { records } })).remaining, 1)
      assert.equal(remainingOf(await external('GET', '/devices')).remaining, 0)
      const first = Number(refused(await external('GET', '/devices'), 429, 'rate_limit_exceeded')['retry_after'])
      for (let i = 0; i < 5; i++)
        assert.ok(Number(refused(await external('GET', '/devices'), 429, 'rate_limit_exceeded')['retry_after']) <= first)
    })

    test('the 5000th request of a UTC day is the last', async () => {
      const tenant = await service.newTenant()
      const { id, secret } = await tenant.makeKey({ scopes: ['*'], perMinute: 0, perDay: null })
      await service.database.systemPool.query(
        'insert into rate_windows (reseller_id, key_id, recent_ms, day, day_count) values ($1, $2, $3, $4, 4999)',
        [tenant.slug, id, [], today()],
      )
      const external = callerAt(`${service.baseUrl}/api/external`, secret)
      const last = await external('GET', '/devices')
      assert.deepEqual([last.status, remainingOf(last).policy, remainingOf(last).remaining], [200, 'day', 0])
      const error = refused(await external('GET', '/devices'), 429, 'rate_limit_exceeded')
      assert.ok(Number(error['retry_after']) >= 1 && Number(error['retry_after']) <= 86_400)
      assert.equal((error['details'] as Row)['policy'], 'day')
    })

    test('Starter has 100,000 Platform calls a month, then is asked to upgrade; the External API goes on, other plans have no end', async () => {
      const starter = await service.newTenant({ plan: 'starter' })
      await useUp(starter, 'api_calls_platform', 99_999)
      ok(await starter.platform('GET', '/vehicles'))
      const error = refused(await starter.platform('GET', '/vehicles'), 403, 'quota_exceeded', 'platform')
      assert.equal(error['action_required'], 'upgrade_plan')
      ok(await starter.external('GET', '/devices'))
      for (const plan of ['professional', 'enterprise']) {
        const tenant = await service.newTenant({ plan })
        await useUp(tenant, 'api_calls_platform', 10_000_000)
        ok(await tenant.platform('GET', '/vehicles'))
      }
      await starter.update({ plan: 'professional' })
      for (let turn = 0; turn < 3_000 && (await starter.platform('GET', '/vehicles')).status !== 200; turn++)
        await new Promise((resolve) => setTimeout(resolve, 20))
      ok(await starter.platform('GET', '/vehicles'))
    })

    test('Starter has 10,000 predictions a month, then prediction calls alone are refused', async () => {
      const starter = await service.newTenant({ plan: 'starter' })
      await useUp(starter, 'predictions', 9_999)
      ok(await starter.external('POST', '/vehicles', { body: { external_ref: 'truck' } }))
      const body = { vehicle_id: 'truck', sensor_data: { rpm: 900 } }
      const predict = () => untilTaken(() => starter.external('POST', '/predict', { body }))
      ok(await predict())
      assert.equal(refused(await predict(), 403, 'quota_exceeded')['action_required'], 'upgrade_plan')
      ok(await starter.external('GET', '/predictions'))
    })

    test('limits of a sub-client hold for its devices, readings and predictions, each to the last, and for nobody else', async () => {
      const tenant = await service.newTenant()
      ok(await tenant.external('POST', '/sub-clients', { body: { name: 'Small', sub_client_id: 'small' } }))
      const limits = { devices: 1, readings_per_month: 3, predictions_per_month: 1 }
      ok(await tenant.external('PUT', '/sub-clients/small', { body: { limits } }))
      const device = ok<Row>(
        await tenant.external('POST', '/devices', { body: { name: 'd', sub_client_id: 'small', vehicle: { mode: 'create', make: 'A' } } }),
      )
      const another = await tenant.external('POST', '/devices', { body: { name: 'e', sub_client_id: 'small' } })
      assert.equal(refused(another, 403, 'quota_exceeded')['action_required'], 'upgrade_plan')
      ok(await tenant.external('POST', '/devices', { body: { name: 'e' } }))

      const predict = (vehicle: unknown = device['vehicle_id']) =>
        untilTaken(() => tenant.external('POST', '/predict', { body: { vehicle_id: vehicle, sensor_data: { rpm: 900 } } }))
      ok(await predict())
      assert.equal(refused(await predict(), 403, 'quota_exceeded')['action_required'], 'upgrade_plan')
      ok(await predict('of-nobody'))

      // Limits become known together, so the one that lets nothing through shows when this one is.
      ok(await tenant.external('POST', '/sub-clients', { body: { name: 'None', sub_client_id: 'none' } }))
      ok(await tenant.external('PUT', '/sub-clients/none', { body: { limits: { readings_per_month: 0 } } }))
      const shut = { vehicle_id: 'in-none', sub_client_id: 'none', rpm: 1 }
      for (let turn = 0; turn < 3_000 && (await tenant.external('POST', '/telemetry', { body: shut })).status !== 403; turn++)
        await new Promise((resolve) => setTimeout(resolve, 20))
      refused(await tenant.external('POST', '/telemetry', { body: shut }), 403, 'quota_exceeded')
      const send = (from: number, count: number) => {
        const records = Array.from({ length: count }, (_, i) => ({ device_id: device['device_id'], sensor_data: { rpm: from + i } }))
        return tenant.external('POST', '/telemetry/batch', { body: { records } })
      }
      ok(await send(0, 2))
      const { records_rejected: rejected, results } = ok<{ records_rejected: number; results: { status: string; error?: Row }[] }>(
        await send(2, 3),
      )
      assert.deepEqual([rejected, results.map(({ status }) => status)], [2, ['stored', 'rejected', 'rejected']])
      assert.equal(results[1]?.error?.['code'], 'quota_exceeded')
      const one = await tenant.external('POST', '/telemetry', { body: { device_id: device['device_id'], rpm: 1 } })
      assert.equal(refused(one, 403, 'quota_exceeded')['action_required'], 'upgrade_plan')
      ok(await tenant.external('POST', '/telemetry', { body: { vehicle_id: 'of-nobody', rpm: 1 } }))
    })

    test('usage is reported by sub-client as it was counted: stored readings, predictions, active devices, calls', async () => {
      const tenant = await service.newTenant()
      ok(await tenant.external('POST', '/sub-clients', { body: { name: 'Used', sub_client_id: 'used' } }))
      const { device_id: deviceId } = ok<Row>(await tenant.external('POST', '/devices', { body: { name: 'd', sub_client_id: 'used' } }))
      const timestamp = new Date().toISOString()
      for (let n = 0; n < 3; n++) ok(await tenant.external('POST', '/telemetry', { body: { device_id: deviceId, timestamp, rpm: 900 } }))
      refused(await tenant.external('POST', '/telemetry', { body: { device_id: 'dev-none', rpm: 1 } }), 404, 'device_not_found')
      const usage = async () => ok<Row>(await tenant.external('GET', '/usage?sub_client_id=used&granularity=month'))
      let external = await usage()
      // On a cluster what is used is counted by a worker, moments after it is stored (docs/guides/scaling.md).
      for (let tries = 0; isTestCluster() && external['total'] !== 2 && tries < 1_200; tries++) {
        await sleep(100)
        external = await usage()
      }
      assert.equal(external['total'], 2)
      assert.deepEqual(external['totals'], { points_ingested: 1, api_calls: 0, predictions: 0, active_devices: 1 })
      assert.equal(external['time_zone'], 'Asia/Kolkata')
      const rows = ok<{ rows: Row[] }>(await tenant.platform('GET', '/usage?subClientId=used')).rows
      assert.deepEqual(
        rows.map(({ subClientId, meter, count }) => `${subClientId} ${meter} ${count}`),
        ['used active_devices 1', 'used points_ingested 1'],
      )
      const statement = ok<Row>(await tenant.platform('GET', '/usage/statements?subClientId=used'))
      assert.deepEqual(
        [statement['statement'], statement['resellerId'], statement['subClientId']],
        ['roadworthy-usage-1', tenant.slug, 'used'],
      )
      const { publicKey } = ok<Row>(await tenant.platform('GET', '/usage/statement-key'))
      assert.equal(statement['publicKey'], publicKey)
    })
  })
}
