// What the suites of bad input share: a service, a device, and a count of what is stored.

import assert from 'node:assert/strict'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { ok, openService, type Service, type Tenant } from '../support/service.ts'

export type BadInput = {
  readonly service: Service
  readonly tenant: Tenant
  readonly deviceId: string
  /** Runs `work`, after which exactly `added` more readings must be stored. */
  storing(added: number, work: () => Promise<void>): Promise<void>
}

export async function openBadInput(t: CleanUp): Promise<BadInput> {
  const service = await openService(t)
  const tenant = await service.newTenant()
  const body = { imei: '356938035643809' }
  const { device_id: deviceId } = ok<{ device_id: string }>(await tenant.external('POST', '/devices', { body }))
  const count = async (): Promise<number> => {
    const text = 'select count(*) from readings where reseller_id = $1'
    const { rows } = await service.database.systemPool.query<{ count: string }>(text, [tenant.slug])
    return Number(rows[0]?.count)
  }
  const storing = async (added: number, work: () => Promise<void>) => {
    const before = await count()
    await work()
    assert.equal((await count()) - before, added)
  }
  return { service, tenant, deviceId, storing }
}
