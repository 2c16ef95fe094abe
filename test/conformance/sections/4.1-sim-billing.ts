// Spec §1, §2.10 and the tail of §4.1, with DECISIONS on SIM billing: the routes, what each refuses and in which words. Who may call
// them is `4.1-sim-billing-access.ts`; what operators and gateways are asked for is `4.1-sim-billing-story.ts`.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { billingSettings, makeBill, ratePlan } from '../../support/make-bill.ts'
import { makeConnection, makeSim } from '../../support/make-sim.ts'
import { readOpenApi, routesOf } from '../../support/open-api.ts'
import { assertTime, ok, type Row, refused, type Service, type Tenant } from '../../support/service.ts'

/** Of DECISIONS. */
const DECIDED = [
  ...['POST /sync', 'GET /sync/{sync_id}', 'GET /sims', 'GET /sims/{sim}', 'PUT /sims/{sim}'],
  ...['activate', 'suspend', 'safe-custody', 'terminate'].map((action) => `POST /sims/{sim}/${action}`),
  ...['GET /invoices', 'GET /invoices/{invoice_id}', 'GET /invoices/{invoice_id}/pdf', 'POST /invoices/{invoice_id}/pay'],
  'POST /payments/callback/{gateway}',
]
/** Without a check digit: it is 9. */
const ICCID = '8991000900000000017'
/** Of the bank, for an invoice of `makeBill`. */
const received = { amount_minor: 100, currency: 'INR', method: 'bank_transfer', received_on: new Date().toISOString().slice(0, 10) }
const MSISDN = '5754123456789'
/** It is switched on, and nobody listens. */
const NOBODY_THERE = { enabled: true, base_url: 'http://127.0.0.1:9999/rws/api/v1' }
const SIM_FIELDS = [
  ...['id', 'iccid', 'imsi', 'msisdn', 'eid', 'imei', 'operator', 'status', 'rate_plan', 'communication_plan', 'apn', 'ip_address'],
  ...[
    'device_id',
    'device_name',
    'sub_client_id',
    'data_usage_mb',
    'data_usage_bytes',
    'sms_count',
    'session_count',
    'data_limit_mb',
    'cycle_start',
  ],
  ...['cycle_end', 'activated_at', 'safe_custody_until', 'suspended_reason', 'metadata', 'created_at', 'updated_at'],
  ...['pending_action', 'pending_since', 'operator_status', 'operator_synced_at'],
]

type SimRow = Row & { readonly id: string; readonly iccid: string; readonly status: string }
type List = { readonly total: number; readonly pagination: { readonly endCursor: string | null; readonly hasNextPage: boolean } } & Row

export function simBillingSection(service: Service): void {
  const setStatus = (simId: string, status: string) =>
    service.database.systemPool.query('update sims set status = $2 where sim_id = $1', [simId, status])
  const makeSubClient = async (tenant: Tenant, id: string) =>
    ok(await tenant.external('POST', '/sub-clients', { body: { name: id, sub_client_id: id } }))
  /** Each refused with 400 and the field that is wrong. */
  async function refuseEach(call: Tenant['simBilling'], path: string, cases: readonly (readonly [raw: string, field: string])[]) {
    const [method = '', route = ''] = path.split(' ')
    for (const [raw, field] of cases) {
      const error = refused(await call(method, route, { raw }), 400, 'invalid_request')
      assert.equal((error['details'] as Row | undefined)?.['field'], field, `${path} ${raw}: ${error['message']}`)
    }
  }

  suite('4.1 SIM billing: requests', () => {
    test('the routes that are decided are there, every one behind a billing scope or full access but for callbacks', () => {
      const routes = routesOf(readOpenApi('sim-billing'))
      const described = routes.map(({ method, path }) => `${method} ${path.replace('/api/sim-billing', '')}`)
      for (const route of DECIDED) assert.ok(described.includes(route), route)
      for (const { path, operation } of routes) {
        const scopes = operation.security.map((each) => each['apiKey']?.join())
        if (path.includes('/callback/')) assert.deepEqual(scopes, [])
        else assert.ok(['billing:read', 'billing:write', '*'].includes(scopes[0] ?? ''), path)
        assert.ok(operation.summary.length > 0)
      }
    })

    test('a SIM has the decided fields, and is found by id, by its ICCID with and without check digit, and by a number of 13 digits', async () => {
      const tenant = await service.newTenant()
      const { id } = await makeSim(tenant.simBilling, ICCID, { msisdn: MSISDN })
      const { sim } = ok<{ sim: SimRow }>(await tenant.simBilling('GET', `/sims/${id}`))
      for (const field of SIM_FIELDS) assert.ok(field in sim, field)
      assert.deepEqual([sim.status, sim['data_usage_mb'], sim['data_usage_bytes']], ['inventory', 0, 0])
      assertTime(sim['created_at'])
      for (const name of [ICCID, `${ICCID}9`, MSISDN, `+${MSISDN}`, '8991%200009%200000%200000%20017'])
        assert.equal(ok<{ sim: SimRow }>(await tenant.simBilling('GET', `/sims/${name}`)).sim.id, id, name)
      const wrong = [`${ICCID}6`, '57541234567890', 'sim-none', '%00', '..%2Fsims', "'%20or%201=1%20--", 'x'.repeat(200)]
      for (const name of wrong) refused(await tenant.simBilling('GET', `/sims/${name}`), 404, 'not_found')
      for (const search of ['4123', '90000', MSISDN])
        assert.equal(ok<List>(await tenant.simBilling('GET', `/sims?search=${search}`)).total, 1, search)
    })

    test('what changes a SIM by a number that several living SIMs have is refused; the number of one that lives is its own', async () => {
      const { simBilling } = await service.newTenant()
      const first = await makeSim(simBilling, ICCID, { msisdn: MSISDN })
      const second = await makeSim(simBilling, '8991000900000000025', { msisdn: MSISDN })
      refused(await simBilling('POST', `/sims/${MSISDN}/terminate`), 409, 'conflict')
      refused(await simBilling('PUT', `/sims/${MSISDN}`, { body: { data_limit_mb: 5 } }), 409, 'conflict')
      await setStatus(second.id, 'terminated')
      const { sim } = ok<{ sim: SimRow }>(await simBilling('PUT', `/sims/${MSISDN}`, { body: { data_limit_mb: 5 } }))
      assert.equal(sim.id, first.id)
    })

    test('lists page by limit and after; unknown parameters are named with those that there are', async () => {
      const { simBilling } = await service.newTenant()
      const connectionId = await makeConnection(simBilling)
      for (let i = 0; i < 5; i++)
        ok(await simBilling('POST', '/sims', { body: { connection_id: connectionId, iccid: `89910009000000000${20 + i}` } }))
      const seen: string[] = []
      for (let after = ''; ; ) {
        const list = ok<List>(await simBilling('GET', `/sims?limit=2${after}`))
        assert.equal(list.total, 5)
        seen.push(...(list['sims'] as SimRow[]).map(({ id }) => id))
        if (!list.pagination.hasNextPage) break
        after = `&after=${encodeURIComponent(list.pagination.endCursor ?? '')}`
      }
      assert.deepEqual([seen.length, new Set(seen).size], [5, 5])
      for (const path of [
        '/sims',
        '/invoices',
        '/payments',
        '/operator-connections',
        `/sims/${seen[0]}/history`,
        `/sims/${seen[0]}/actions`,
      ]) {
        ok(await simBilling('GET', `${path}?limit=500`))
        for (const query of ['limit=0', 'limit=501', 'limit=x', 'after=x', 'limt=3', 'cursor=x']) {
          const error = refused(await simBilling('GET', `${path}?${query}`), 400, 'invalid_request')
          assert.equal((error['details'] as Row)['field'], query.split('=')[0], `${path}?${query}`)
        }
      }
      refused(await simBilling('GET', '/sims?status=sleeping'), 400, 'invalid_request')
      refused(await simBilling('GET', '/invoices?period=2026-13'), 400, 'invalid_request')
    })

    test('what cannot be anything’s name is not there, and no failure of the service', async () => {
      const { simBilling } = await service.newTenant()
      for (const path of [
        '/sims/%00',
        '/sync/%00',
        '/operator-connections/%00',
        '/gateway-connections/%00',
        '/invoices/%00',
        '/payments/%00',
      ])
        refused(await simBilling('GET', path), 404, 'not_found')
      refused(await simBilling('POST', '/operator-connections/%00/test'), 404, 'not_found')
      const filters = ['/sims?device_id', '/sims?connection_id', '/sims?sub_client_id', '/invoices?sub_client_id', '/payments?invoice_id']
      for (const path of filters) assert.equal(ok<List>(await simBilling('GET', `${path}=%00`)).total, 0, path)
    })

    test('an illegal move is 409 with the state and what is possible; one to the same state is 200 and does nothing', async () => {
      const { simBilling } = await service.newTenant()
      const { id } = await makeSim(simBilling, ICCID)
      const error = refused(await simBilling('POST', `/sims/${id}/suspend`), 409, 'invalid_transition')
      assert.deepEqual(error['details'], { status: 'inventory', action: 'suspend', possible: ['active', 'test'] })
      for (const [status, action, possible] of [
        ['test', 'suspend', ['active']],
        ['safe_custody', 'suspend', ['active', 'terminating']],
        ['terminated', 'activate', []],
        ['inventory', 'terminate', ['active', 'test']],
      ] as const) {
        await setStatus(id, status)
        const { details } = refused(await simBilling('POST', `/sims/${id}/${action}`), 409, 'invalid_transition')
        assert.deepEqual([(details as Row)['status'], (details as Row)['possible']], [status, possible], `${status} ${action}`)
      }
      for (const [status, action] of [
        ['active', 'activate'],
        ['suspended', 'suspend'],
        ['safe_custody', 'safe-custody'],
        ['terminating', 'terminate'],
        ['terminated', 'terminate'],
      ] as const) {
        await setStatus(id, status)
        const answer = ok<{ action: null; sim: SimRow }>(await simBilling('POST', `/sims/${id}/${action}`))
        assert.deepEqual([answer.action, answer.sim.status, answer.sim['pending_action']], [null, status, null])
      }
      assert.equal(ok<List>(await simBilling('GET', `/sims/${id}/actions`)).total, 0)
    })

    test('bodies: unknown fields with the closest name, wrong numbers, times and texts by the field', async () => {
      const { simBilling } = await service.newTenant()
      const { id, connectionId } = await makeSim(simBilling, ICCID, {}, NOBODY_THERE)
      await setStatus(id, 'active')
      const closest = refused(await simBilling('POST', `/sims/${id}/suspend`, { body: { raeson: 'x' } }), 400, 'invalid_request')
      assert.deepEqual(closest['details'], { in: 'body', field: 'raeson', closest: 'reason' })
      await refuseEach(simBilling, `POST /sims/${id}/safe-custody`, [
        ...['-1', '0', '1', '91', '29.5', '"60"', '1e999', '1e400', 'true'].map((days) => [`{"days":${days}}`, 'days'] as const),
        ...['2020-01-01T00:00:00Z', '2026-12-25', 'tomorrow', '2026-13-45T00:00:00Z', '9999-12-31T00:00:00Z', '2027-02-20T23:59:60Z'].map(
          (until) => [`{"until":"${until}"}`, 'until'] as const,
        ),
        ['{"days":60,"until":"2027-01-20T00:00:00Z"}', 'days'],
        ['{"reason":""}', 'reason'],
        [`{"reason":"${'x'.repeat(501)}"}`, 'reason'],
      ])
      for (const raw of ['{"days":NaN}', '[]', 'null', '{', '{"reason":"\\u0000"}', '{"__proto__":1}'])
        refused(await simBilling('POST', `/sims/${id}/safe-custody`, { raw }), 400, 'invalid_request')
      await refuseEach(simBilling, `PUT /sims/${id}`, [
        ['{"data_limit_mb":-1}', 'data_limit_mb'],
        ['{"data_limit_mb":1e999}', 'data_limit_mb'],
        ['{"data_limit_mb":1.5}', 'data_limit_mb'],
        ['{"status":"active"}', 'status'],
        ['{"sub_client_id":"A B"}', 'sub_client_id'],
      ])
      const parts = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`k${i}`, 'x'.repeat(4_000)]))
      refused(await simBilling('PUT', `/sims/${id}`, { body: { metadata: parts } }), 400, 'invalid_request')
      for (const body of [{ sub_client_id: 'nobody' }, { device_id: 'dev-none' }, { plan_id: 'none' }])
        assert.equal((await simBilling('PUT', `/sims/${id}`, { body })).status, 404, JSON.stringify(body))
      await refuseEach(simBilling, 'POST /sims', [
        [`{"connection_id":"${connectionId}","iccid":"123"}`, 'iccid'],
        [`{"connection_id":"${connectionId}","iccid":"${ICCID}1"}`, 'iccid'],
        [`{"connection_id":"${connectionId}","iccid":"8991000900000000033","msisdn":"+91 57"}`, 'msisdn'],
      ])
      for (const iccid of [ICCID, `${ICCID}9`])
        refused(await simBilling('POST', '/sims', { body: { connection_id: connectionId, iccid } }), 409, 'already_exists')
      refused(await simBilling('POST', '/sims', { body: { connection_id: 'opc-none', iccid: '8991000900000000033' } }), 404, 'not_found')
      await refuseEach(simBilling, 'POST /sync', [
        ['{"scope":"everything"}', 'scope'],
        ['{"sim_ids":[]}', 'sim_ids'],
        [`{"sim_ids":${JSON.stringify(Array(501).fill('x'))}}`, 'sim_ids'],
        ['{"full":"yes"}', 'full'],
      ])
    })

    test('many at once: 500 at most, a result for each, and what is refused keeps none of the others back', async () => {
      const { simBilling } = await service.newTenant()
      const { id } = await makeSim(simBilling, ICCID)
      const other = await makeSim(simBilling, '8991000900000000025')
      await setStatus(id, 'suspended')
      const sim_ids = [id, ICCID, 'nobody', other.id]
      const answer = ok<Row & { results: Row[] }>(await simBilling('POST', '/sims/bulk', { body: { sim_ids, action: 'suspend' } }))
      assert.deepEqual([answer['success'], answer['accepted'], answer['unchanged'], answer['refused']], [false, 0, 2, 2])
      assert.deepEqual(
        answer.results.map(({ index, status, error }) => [index, status, (error as Row | null)?.['code']]),
        [
          [0, 'unchanged', undefined],
          [1, 'unchanged', undefined],
          [2, 'refused', 'not_found'],
          [3, 'refused', 'invalid_transition'],
        ],
      )
      const all = Array.from({ length: 500 }, (_, i) => `none-${i}`)
      const most = ok<Row>(await simBilling('POST', '/sims/bulk', { body: { sim_ids: all, action: 'suspend' } }))
      assert.equal(most['refused'], 500)
      await refuseEach(simBilling, 'POST /sims/bulk', [
        [JSON.stringify({ sim_ids: [...all, 'x'], action: 'suspend' }), 'sim_ids'],
        ['{"sim_ids":[],"action":"suspend"}', 'sim_ids'],
        ['{"sim_ids":["x"],"action":"resume"}', 'action'],
        ['{"sim_ids":["x"],"action":"suspend","days":40}', 'days'],
        ['{"sim_ids":["x"],"action":"suspend","until":"2027-01-01T00:00:00Z"}', 'until'],
        ['{"sim_ids":["x"],"action":"suspend","rate_plan":"M2M"}', 'rate_plan'],
        ['{"sim_ids":["x"],"action":"safe_custody","until":"2027-02-20T23:59:60Z"}', 'until'],
      ])
    })

    test('prices, margins and taxes that would make a wrong invoice are refused when they are entered', async () => {
      const tenant = await service.newTenant()
      const call = tenant.simBilling
      await makeSubClient(tenant, 'acme')
      refused(await call('POST', '/invoices/draft', { body: { month: '2026-10' } }), 409, 'conflict')
      await refuseEach(call, 'PUT /billing-settings', [['{"enabled":true}', 'currency']])
      ok(await call('PUT', '/billing-settings', { body: billingSettings }))
      const tax = { tax_id: 'gst', name: 'GST', rate_percent: '18', category: 'S' }
      await refuseEach(call, 'PUT /billing-settings', [
        ['{"currency":"XXX"}', 'currency'],
        ['{"currency":"inr"}', 'currency'],
        ['{"curency":"INR"}', 'curency'],
        [JSON.stringify({ taxes: [tax, tax] }), 'taxes'],
        [JSON.stringify({ taxes: [{ ...tax, category: 'E' }] }), 'taxes'],
        [JSON.stringify({ taxes: [{ ...tax, rate_percent: '-1' }] }), 'taxes.0.rate_percent'],
        ['{"default_margin_percent":"-100.5"}', 'default_margin_percent'],
        ['{"default_margin_percent":12.5}', 'default_margin_percent'],
        ['{"payment_terms_days":-1}', 'payment_terms_days'],
      ])
      const plan = (prices: object) => JSON.stringify({ ...ratePlan, plan_id: 'other', prices: { ...ratePlan.prices, ...prices } })
      await refuseEach(call, 'POST /rate-plans', [
        ...['-1', '1e3', 'NaN', '45.0000001', ''].map((rental) => [plan({ rental }), 'prices.rental'] as const),
        [plan({ rental: 45 }), 'prices.rental'],
        [plan({ custody_min_days: -1 }), 'prices.custody_min_days'],
      ])
      const { message } = refused(await call('POST', '/rate-plans', { raw: plan({ rental: 'x' }) }), 400, 'invalid_request')
      assert.equal(String(message).match(/such as/g)?.length, 1, String(message))
      ok(await call('POST', '/rate-plans', { body: { ...ratePlan, plan_id: 'm2m' } }))
      refused(await call('POST', '/rate-plans', { body: { ...ratePlan, plan_id: 'm2m' } }), 409, 'already_exists')
      await refuseEach(call, 'PUT /customers/acme', [
        ['{"margin_percent":"-101"}', 'margin_percent'],
        ['{"tax_ids":["gst"]}', 'tax_ids'],
        // Nobody would notice that the agreed price is on no invoice.
        ['{"plan_overrides":[{"plan_id":"m2n","prices":{"rental":"1"}}]}', 'plan_overrides'],
      ])
      refused(await call('PUT', '/customers/nobody', { body: { enabled: true } }), 404, 'not_found')
      for (const month of ['2026-13', '2026-00'])
        refused(await call('POST', '/invoices/draft', { body: { month } }), 400, 'invalid_request')
      const long = refused(await call('POST', '/invoices/draft', { body: { month: '2020-01' } }), 409, 'conflict')
      assert.match(String(long['message']), /no usage of 2020-01/)
      refused(await call('POST', '/invoices/draft', { body: { month: '2199-01' } }), 409, 'conflict')
    })

    test('an archived rate plan is for no further SIM', async () => {
      const { simBilling } = await service.newTenant()
      ok(await simBilling('PUT', '/billing-settings', { body: billingSettings }))
      ok(await simBilling('POST', '/rate-plans', { body: { ...ratePlan, plan_id: 'old', operator_plan: 'M2M 10' } }))
      const { id } = await makeSim(simBilling, ICCID)
      assert.equal(ok<{ sim: Row }>(await simBilling('GET', `/sims/${id}`)).sim['plan_id'], 'old')
      ok(await simBilling('DELETE', '/rate-plans/old'))
      const later = await makeSim(simBilling, '8991000900000000025')
      assert.equal(ok<{ sim: Row }>(await simBilling('GET', `/sims/${later.id}`)).sim['plan_id'], null)
      refused(await simBilling('PUT', `/sims/${later.id}`, { body: { plan_id: 'old' } }), 409, 'conflict')
      assert.equal(ok<{ sim: Row }>(await simBilling('GET', `/sims/${id}`)).sim['plan_id'], 'old')
    })

    test('every POST is carried out once under its Idempotency-Key; with another body it is 422', async () => {
      const tenant = await service.newTenant()
      const { simBilling } = tenant
      const connection_id = await makeConnection(simBilling)
      await makeSubClient(tenant, 'acme')
      const { invoice } = await makeBill(service.database, tenant, 'acme')
      const posts: readonly (readonly [path: string, body: Row, other: Row])[] = [
        ['/sims', { connection_id, iccid: ICCID }, { connection_id, iccid: '8991000900000000025' }],
        ['/rate-plans', { ...ratePlan, plan_id: 'once' }, { ...ratePlan, plan_id: 'twice' }],
        ['/sync', { scope: 'invoices' }, { scope: 'all' }],
        [`/invoices/${invoice}/credit-notes`, { reason: 'x', lines: [{ line: 1, amount_minor: 1 }] }, { reason: 'y' }],
        [`/invoices/${invoice}/payments`, received, { ...received, amount_minor: 101 }],
      ]
      for (const [path, body, other] of posts) {
        const headers = { 'idempotency-key': randomUUID() }
        const first = ok<Row>(await simBilling('POST', path, { body, headers }))
        assert.deepEqual(ok(await simBilling('POST', path, { body, headers })), first, path)
        refused(await simBilling('POST', path, { body: other, headers }), 422, 'idempotency_conflict')
      }
      assert.equal(ok<List>(await simBilling('GET', '/invoices?kind=credit_note')).total, 1)
      assert.equal(ok<List>(await simBilling('GET', '/payments')).total, 1)
      assert.equal(ok<List>(await simBilling('GET', '/sims')).total, 1)
    })

    test('a payment that came by the bank is recorded and taken back, and stands on the invoice', async () => {
      const tenant = await service.newTenant()
      const { simBilling } = tenant
      await makeSubClient(tenant, 'acme')
      const { invoice } = await makeBill(service.database, tenant, 'acme')
      const { payment } = ok<{ payment: Row }>(await simBilling('POST', `/invoices/${invoice}/payments`, { body: received }))
      const shown = async () => ok<{ invoice: Row }>(await simBilling('GET', `/invoices/${invoice}`)).invoice
      const payments = (of: Row) => (of['payments'] as Row[]).map(({ id, status, recorded }) => ({ id, status, recorded }))
      const paid = await shown()
      assert.deepEqual([paid['paid_minor'], paid['unapplied_minor']], [100, 0])
      assert.deepEqual(payments(paid), [{ id: payment['id'], status: 'paid', recorded: payment['recorded'] }])
      ok(await simBilling('POST', `/invoices/${invoice}/payments/${payment['id']}/reverse`, { body: { reason: 'Bounced' } }))
      const reversed = await shown()
      assert.deepEqual([reversed['paid_minor'], payments(reversed)[0]?.status], [0, 'reversed'])
      refused(await simBilling('POST', `/invoices/${invoice}/payments`, { body: { ...received, amount_minor: 118_001 } }), 409, 'conflict')
      await refuseEach(simBilling, `POST /invoices/${invoice}/payments/${payment['id']}/reverse`, [['{}', 'reason']])
    })

    test('an invoice that cannot do what is asked is refused with its state, and where it can go', async () => {
      const tenant = await service.newTenant()
      const { simBilling } = tenant
      await makeSubClient(tenant, 'acme')
      const { invoice } = await makeBill(service.database, tenant, 'acme')
      ok(await simBilling('POST', `/invoices/${invoice}/open`))
      await makeSubClient(tenant, 'beta')
      const { invoice: ended } = await makeBill(service.database, tenant, 'beta')
      ok(await simBilling('POST', `/invoices/${ended}/void`))
      const { details } = refused(await simBilling('POST', `/invoices/${ended}/open`), 409, 'invalid_transition')
      assert.deepEqual(details, { status: 'void', action: 'open', possible: [] })
      refused(await simBilling('POST', `/invoices/${invoice}/pay`), 409, 'conflict')
      await refuseEach(simBilling, `POST /invoices/${invoice}/pay`, [
        ['{"gateway":"paypal"}', 'gateway'],
        ['{"amount":1}', 'amount'],
        ...['javascript:alert(1)', 'http://evil.example', 'https://a:b@shop.example', '//x'].map(
          (url) => [JSON.stringify({ return_url: url }), 'return_url'] as const,
        ),
      ])
      await refuseEach(simBilling, `POST /invoices/${invoice}/credit-notes`, [
        ['{}', 'reason'],
        ['{"reason":"x","lines":[]}', 'lines'],
        ['{"reason":"x","lines":[{"line":99,"amount_minor":1}]}', 'lines'],
        ['{"reason":"x","lines":[{"line":1,"amount_minor":-5}]}', 'lines.0.amount_minor'],
        ['{"reason":"x","lines":[{"line":1,"amount_minor":1e999}]}', 'lines[0].amount_minor'],
      ])
      ok(await simBilling('POST', `/invoices/${invoice}/void`))
      const [creditNote] = ok<{ invoices: Row[] }>(await simBilling('GET', '/invoices?kind=credit_note')).invoices
      refused(await simBilling('POST', `/invoices/${creditNote?.['invoice_id']}/pay`), 409, 'conflict')
      assert.equal(ok<{ invoice: Row }>(await simBilling('GET', `/invoices/${invoice}`)).invoice['status'], 'void')
      refused(await simBilling('POST', `/invoices/${invoice}/pay`), 409, 'conflict')
    })
  })
}
