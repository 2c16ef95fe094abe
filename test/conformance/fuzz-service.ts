// A fleet to fuzz, with one of everything that has an id.

import { startEmulatorChild } from '@roadworthy/gateway-emulator/testing-emulator'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { makeBill } from '../support/make-bill.ts'
import { makePayment } from '../support/make-payment.ts'
import { makeSim } from '../support/make-sim.ts'
import { type DocumentName, readOpenApi } from '../support/open-api.ts'
import { ok, openService, type Service, type Tenant } from '../support/service.ts'
import { fuzzSurface } from './fuzz-surface.ts'

export type Fuzz = (name: DocumentName, options: { runs: number; seed: number }) => Promise<Record<number, number>>

export async function openFuzz(t: CleanUp): Promise<Fuzz> {
  const gateway = await startEmulatorChild()
  t.after(() => gateway.stop())
  const service = await openService(t, { flags: ['--gateway-allow-cidrs', '127.0.0.0/8'] })
  const { base_url: baseUrl, engine_url: engineUrl } = service.platform.credentials
  const tenant = await service.newTenant()
  const knownIds: string[] = ['fuzz-client', '356938035643809', 'truck-17']
  ok(await tenant.external('POST', '/sub-clients', { body: { name: 'Fuzz', sub_client_id: 'fuzz-client' } }))
  for (const [imei, vehicle] of [
    ['356938035643809', { mode: 'create', make: 'Toyota' }],
    ['356938035643810', null],
  ] as const) {
    const device = ok<{ device_id: string; vehicle_id: string | null }>(
      await tenant.external('POST', '/devices', { body: { imei, vehicle } }),
    )
    knownIds.push(device.device_id, ...(device.vehicle_id === null ? [] : [device.vehicle_id]))
  }
  const body = { vehicle_id: 'truck-17', sensor_data: { rpm: 900, coolant_temp: 118 }, lat: 12.9, lon: 77.6 }
  const { telemetry_id: readingId } = ok<{ telemetry_id: string }>(await tenant.external('POST', '/telemetry', { body }))
  knownIds.push(readingId, ...(await makeBilled(service, tenant, gateway.url)))
  return async (name, { runs, seed }) => {
    const isEngine = name === 'engine'
    const origin = isEngine ? engineUrl : baseUrl
    return await fuzzSurface({ document: readOpenApi(name), origin, key: isEngine ? undefined : tenant.key, knownIds, runs, seed })
  }
}

/** A SIM whose operator is not there, and invoices: a draft, one that is open, and one of which a payment was tried. */
async function makeBilled({ database }: Service, tenant: Tenant, gatewayUrl: string): Promise<string[]> {
  const ids: string[] = []
  const sim = await makeSim(tenant.simBilling, '8991000900000000017', { msisdn: '5754123456789', sub_client_id: 'fuzz-client' })
  ids.push(sim.id, sim.iccid, sim.connectionId, '5754123456789')
  for (const [subClientId, status] of [
    ['fuzz-draft', 'draft'],
    ['fuzz-open', 'open'],
    ['fuzz-paying', 'open'],
  ] as const) {
    ok(await tenant.external('POST', '/sub-clients', { body: { name: subClientId, sub_client_id: subClientId } }))
    const bill = await makeBill(database, tenant, subClientId, status)
    ids.push(bill.invoice, bill.ratePlan, subClientId)
    if (subClientId !== 'fuzz-paying') continue
    const payment = await makePayment(database, tenant, bill.invoice, subClientId, { settings: { base_url: gatewayUrl } })
    ids.push(payment.payment, payment.gatewayConnection)
  }
  return ids
}
