// Who may do what with SIMs, invoices and payments (DECISIONS, SIM billing): scopes, tenants, keys of one sub-client, people who are signed in, and
// resellers that are past due.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { makeBill } from '../../support/make-bill.ts'
import { makeSim } from '../../support/make-sim.ts'
import { callerAt, ok, type Row, refused, type Service, type Tenant } from '../../support/service.ts'

/** Without a check digit. */
const ICCID = '8991000900000000017'
const PASSWORD = 'correct horse battery'

type List = { readonly total: number } & Row

export function simBillingAccessSection(service: Service): void {
  const makeSubClient = async (tenant: Tenant, id: string) =>
    ok(await tenant.external('POST', '/sub-clients', { body: { name: id, sub_client_id: id } }))
  const keyOf = async (tenant: Tenant, given: { scopes: readonly string[] } & Row) =>
    callerAt(`${service.baseUrl}/api/sim-billing`, (await tenant.makeKey(given)).secret)
  suite('4.1 SIM billing: who', () => {
    test('no key is 401, another scope 403 with the one that is needed, another reseller’s things 404', async () => {
      const tenant = await service.newTenant()
      const { id, connectionId } = await makeSim(tenant.simBilling, ICCID)
      await makeSubClient(tenant, 'acme')
      const { invoice } = await makeBill(service.database, tenant, 'acme')
      const reads = [
        `/sims/${id}`,
        `/sims/${id}/history`,
        `/sims/${id}/usage`,
        `/sims/${id}/anomalies`,
        `/invoices/${invoice}`,
        `/invoices/${invoice}/pdf`,
      ]
      const nobody = callerAt(`${service.baseUrl}/api/sim-billing`, null)
      const stranger = await service.newTenant()
      const readers = await keyOf(tenant, { scopes: ['billing:read'] })
      const others = await keyOf(tenant, { scopes: ['devices:read', 'devices:write', 'sub_clients:manage'] })
      for (const path of [...reads, '/sims', '/invoices', '/payments', '/sync']) {
        refused(await nobody('GET', path), 401, 'invalid_api_key')
        assert.deepEqual(refused(await others('GET', path), 403, 'missing_scope')['details'], { required_scope: 'billing:read' })
      }
      for (const path of [...reads, `/invoices/${invoice}/xml`, `/operator-connections/${connectionId}`])
        refused(await stranger.simBilling('GET', path), 404, 'not_found')
      for (const path of [`/sims/${id}/suspend`, `/sims/${ICCID}/terminate`, `/invoices/${invoice}/pay`, `/invoices/${invoice}/void`]) {
        refused(await stranger.simBilling('POST', path), 404, 'not_found')
        assert.deepEqual(refused(await readers('POST', path), 403, 'missing_scope')['details'], { required_scope: 'billing:write' })
      }
      const writers = await keyOf(tenant, { scopes: ['billing:read', 'billing:write'] })
      for (const path of ['/operator-connections', '/gateway-connections'])
        assert.deepEqual(refused(await writers('POST', path, { body: {} }), 403, 'missing_scope')['details'], { required_scope: '*' })
      ok(await (await keyOf(tenant, { scopes: ['sandbox:*'] }))('GET', `/sims/${id}`))
    })

    test('a key of one sub-client sees and changes its own SIMs and invoices, and nothing of how they are billed', async () => {
      const tenant = await service.newTenant()
      for (const name of ['acme', 'umbra']) await makeSubClient(tenant, name)
      const own = await makeSim(tenant.simBilling, ICCID, { sub_client_id: 'acme' })
      const other = await makeSim(tenant.simBilling, '8991000900000000025', { sub_client_id: 'umbra' })
      const { invoice } = await makeBill(service.database, tenant, 'acme', 'draft')
      const { invoice: theirs } = await makeBill(service.database, tenant, 'umbra')
      const pinned = await keyOf(tenant, { scopes: ['*'], subClientId: 'acme' })
      assert.equal(ok<List>(await pinned('GET', '/sims')).total, 1)
      assert.equal(ok<List>(await pinned('GET', '/sims?sub_client_id=umbra')).total, 0)
      // A draft is nothing that the customer sees.
      assert.equal(ok<List>(await pinned('GET', '/invoices')).total, 0)
      refused(await pinned('GET', `/invoices/${invoice}`), 404, 'not_found')
      ok(await tenant.simBilling('POST', `/invoices/${invoice}/open`))
      assert.deepEqual(
        (ok<List>(await pinned('GET', '/invoices'))['invoices'] as Row[]).map((each) => each['invoice_id']),
        [invoice],
      )
      ok(await pinned('GET', `/sims/${own.id}`))
      ok(await pinned('GET', `/invoices/${invoice}`))
      for (const path of [`/sims/${other.id}`, `/invoices/${theirs}`, '/rate-plans/plan-of-acme', '/customers/acme'])
        refused(await pinned('GET', path), 404, 'not_found')
      refused(await pinned('GET', `/operator-connections/${own.connectionId}`), 404, 'not_found')
      refused(await pinned('POST', `/sims/${other.id}/activate`), 404, 'not_found')
      for (const [method, path] of [
        ['GET', '/billing-settings'],
        ['GET', '/price-list'],
        ['POST', '/sync'],
        ['GET', `/invoices/${invoice}/statement`],
        ['POST', `/invoices/${invoice}/void`],
      ] as const) {
        refused(await pinned(method, path), 403, 'missing_scope')
      }
      refused(await pinned('PUT', `/sims/${own.id}`, { body: { sub_client_id: null } }), 400, 'invalid_request')
      refused(await pinned('PUT', `/sims/${own.id}`, { body: { sub_client_id: 'umbra' } }), 404, 'not_found')
      refused(await pinned('PUT', `/sims/${own.id}`, { body: { plan_id: null } }), 403, 'missing_scope')
      // Suspended, it still reads, and still may pay what it owes.
      ok(await tenant.external('PUT', '/sub-clients/acme', { body: { status: 'suspended' } }))
      for (let turn = 0; turn < 3_000 && (await pinned('POST', `/sims/${own.id}/activate`)).status !== 403; turn++)
        await new Promise((resolve) => setTimeout(resolve, 20))
      refused(await pinned('POST', `/sims/${own.id}/suspend`), 403, 'sub_client_suspended')
      refused(await tenant.simBilling('PUT', `/sims/${own.id}`, { body: { data_limit_mb: 5 } }), 403, 'sub_client_suspended')
      ok(await pinned('GET', `/invoices/${invoice}`))
      refused(await pinned('POST', `/invoices/${invoice}/pay`), 409, 'conflict')
    })

    test('a reseller that is past due reads its invoices and pays, and nothing else', async () => {
      const tenant = await service.newTenant()
      const { simBilling } = tenant
      const { id } = await makeSim(simBilling, ICCID)
      await makeSubClient(tenant, 'acme')
      const { invoice } = await makeBill(service.database, tenant, 'acme')
      await tenant.update({ subscription: 'past_due' })
      for (let turn = 0; turn < 3_000 && (await simBilling('GET', '/sims')).status !== 403; turn++)
        await new Promise((resolve) => setTimeout(resolve, 20))
      for (const path of ['/invoices', `/invoices/${invoice}`]) ok(await simBilling('GET', path))
      for (const form of ['pdf', 'xml', 'csv']) {
        const { status } = await fetch(`${service.baseUrl}/api/sim-billing/invoices/${invoice}/${form}`, {
          headers: { 'x-api-key': tenant.key },
        })
        assert.equal(status, 200, form)
      }
      ok(await simBilling('GET', '/payments'))
      // There is no gateway: it gets as far as that.
      refused(await simBilling('POST', `/invoices/${invoice}/pay`), 409, 'conflict')
      for (const [method, path] of [
        ['GET', `/sims/${id}`],
        ['POST', `/sims/${id}/activate`],
        ['POST', '/sync'],
        ['POST', `/invoices/${invoice}/void`],
        ['GET', '/rate-plans'],
      ] as const) {
        assert.equal(refused(await simBilling(method, path), 403, 'subscription_required')['action_required'], 'subscribe', path)
      }
    })

    test('a viewer who is signed in looks at SIMs and invoices, and changes nothing', async () => {
      const tenant = await service.newTenant()
      const { id } = await makeSim(tenant.simBilling, ICCID)
      const email = `viewer@${tenant.slug}.example`
      const { invitation } = ok<{ invitation: { url: string } }>(
        await tenant.platform('POST', '/users', { body: { email, role: 'viewer' } }),
      )
      const open = callerAt(`${service.baseUrl}/api/v1`, null)
      const body = { token: invitation.url.split('#')[1] ?? '', password: PASSWORD }
      const joined = await open('POST', '/session/password', { body })
      ok(joined)
      const headers = { cookie: (joined.headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
      const person = callerAt(`${service.baseUrl}/api/sim-billing`, null)
      assert.equal(ok<List>(await person('GET', '/sims', { headers })).total, 1)
      ok(await person('GET', '/invoices', { headers }))
      refused(await person('GET', '/gateway-connections', { headers }), 403, 'missing_scope')
      const own = { ...headers, origin: service.baseUrl, 'sec-fetch-site': 'same-origin' }
      for (const path of [`/sims/${id}/activate`, '/sync']) refused(await person('POST', path, { headers: own }), 403, 'missing_scope')
      // What another site has the browser send is not that person's.
      refused(
        await person('POST', '/sync', { headers: { ...headers, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } }),
        401,
        'invalid_api_key',
      )
    })
  })
}
