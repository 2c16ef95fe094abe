// SIMs: the two fields that the specification has of one, its three controls, and what DECISIONS adds. The operator is an emulator.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ciscoConnection } from '@roadworthy/operator-emulator/connections'
import { startEmulator } from '@roadworthy/operator-emulator/testing-emulator'
import { assertKeys, assertTime, ok, type Row, refused, type Service, type Tenant } from '../../support/service.ts'

const DONE_WITHIN_MS = 180_000
const SIM = [
  ...['id', 'sim_id', 'iccid', 'imsi', 'msisdn', 'eid', 'imei', 'connection_id', 'operator', 'status', 'status_since', 'pending_action'],
  ...['pending_since', 'possible', 'operator_status', 'operator_synced_at', 'suspended_by', 'suspended_reason', 'safe_custody_until'],
  ...[
    'terminates_at',
    'plan_id',
    'rate_plan',
    'communication_plan',
    'apn',
    'ip_address',
    'sub_client_id',
    'device_id',
    'device_name',
    'data_usage_mb',
  ],
  ...['data_usage_bytes', 'sms_count', 'session_count', 'data_limit_mb', 'cycle_start', 'cycle_end', 'usage_at', 'activated_at'],
  ...['metadata', 'created_at', 'updated_at'],
]
type Answer = { sim: Row & { id: string; status: string; pending_action: string | null }; action: Row | null }

/** The connection is switched on once the SIM is there: from then on it is synchronised by itself, which adds the SIMs that the operator has. */
async function addSim({ simBilling }: Tenant, url: string, iccid: string): Promise<string> {
  const { operator, baseUrl, settings, secrets } = ciscoConnection(url)
  const body = {
    ...{ operator, name: 'Emulated', base_url: baseUrl, credentials: { username: secrets.username, api_key: secrets.apiKey } },
    settings: { time_zone: settings.timeZone, parking_rate_plan: settings.parkingRatePlan },
    enabled: false,
  }
  const { connection } = ok<{ connection: { connection_id: string } }>(await simBilling('POST', '/operator-connections', { body }))
  const path = `/operator-connections/${connection.connection_id}`
  const tried = ok<{ success: boolean; message: string }>(await simBilling('POST', `${path}/test`))
  assert.equal(tried.success, true, tried.message)
  const given = { connection_id: connection.connection_id, iccid, rate_plan: 'M2M-100MB' }
  const { sim } = ok<Answer>(await simBilling('POST', '/sims', { body: given }))
  ok(await simBilling('PUT', path, { body: { enabled: true } }))
  return sim.id
}

async function untilStatus({ simBilling }: Tenant, simId: string, status: string): Promise<Answer['sim']> {
  for (const startedAtMs = performance.now(); performance.now() - startedAtMs < DONE_WITHIN_MS; await sleep(100)) {
    const { sim } = ok<Answer>(await simBilling('GET', `/sims/${simId}`))
    if (sim.status === status && sim.pending_action === null) return sim
  }
  return assert.fail(`not ${status} in time`)
}

export function simSection(service: Service): void {
  suite('2.10 SIM', () => {
    test('a SIM is activated, suspended, activated again and put into safe custody', async (t) => {
      const emulator = await startEmulator({ sims: 0 })
      t.after(() => emulator.stop())
      const { accounts } = await emulator.patch({ add_sims: { count: 1, state: 'inventory' } })
      const iccid = accounts[0]?.sims.at(-1)?.iccid ?? ''
      const tenant = await service.newTenant()
      const { simBilling } = tenant
      const simId = await addSim(tenant, emulator.url, iccid)

      const { sim: ready } = ok<Answer>(await simBilling('GET', `/sims/${iccid.slice(0, 19)}`))
      assertKeys(ready, SIM)
      assert.deepEqual([ready.id, ready.status, ready['data_usage_mb']], [simId, 'inventory', 0])
      const error = refused(await simBilling('POST', `/sims/${simId}/suspend`, { body: {} }), 409, 'invalid_transition')
      assert.deepEqual((error['details'] as Row)['possible'], ['active', 'test'])

      for (const [path, body, status] of [
        ['activate', {}, 'active'],
        ['suspend', { reason: 'Stolen' }, 'suspended'],
        ['activate', {}, 'active'],
        ['safe-custody', { days: 60 }, 'safe_custody'],
      ] as const) {
        const asked = ok<Answer & { success: boolean }>(await simBilling('POST', `/sims/${simId}/${path}`, { body }))
        assertKeys(asked, ['success', 'sim', 'action'])
        assert.equal(asked.action?.['status_to'], status)
        await untilStatus(tenant, simId, status)
        assert.equal(ok<Answer>(await simBilling('POST', `/sims/${simId}/${path}`, { body })).action, null, 'the same again does nothing')
      }
      assertTime(ok<Answer>(await simBilling('GET', `/sims/${simId}`)).sim['safe_custody_until'])
      refused(await simBilling('POST', `/sims/${simId}/suspend`, { body: {} }), 409, 'invalid_transition')
      const { history } = ok<{ history: Row[] }>(await simBilling('GET', `/sims/${simId}/history`))
      // Synchronising with the operator, which begins by itself, adds details.
      const moves = history.filter(({ change }) => change !== 'details')
      assert.deepEqual(moves.map(({ status }) => status).reverse(), ['inventory', 'active', 'suspended', 'active', 'safe_custody'])
      const after = await emulator.state()
      assert.equal(after.accounts[0]?.received.length, 4, 'each was asked of the operator once')
    })

    test('lists, use and what does not exist are answered as everywhere', async () => {
      const { simBilling } = await service.newTenant()
      assert.deepEqual(ok<Row>(await simBilling('GET', '/sims')), {
        total: 0,
        sims: [],
        pagination: { endCursor: null, hasNextPage: false },
      })
      for (const path of ['/sims/8991000900000000001', '/sims/sim-00000000000000000000/usage', '/sims/5754123456789/history'])
        refused(await simBilling('GET', path), 404, 'not_found')
      refused(await simBilling('POST', '/sims', { body: { iccid: '1' } }), 400, 'invalid_request')
    })
  })
}
