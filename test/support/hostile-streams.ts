// For the tests of streams that mean harm: tenants with brokers of their own on loopback, beside one whose broker is honest.

import assert from 'node:assert/strict'
import type { Garbage } from '@roadworthy/kafka/testing-garbage'
import { type HostileBroker, record, recordBatch, startHostileBroker } from '@roadworthy/kafka/testing-hostile-broker'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import type { Service, Tenant } from './service.ts'
import { connectStream, countsOf, statusOf, until } from './stream.ts'

export type StreamTenant = { readonly name: string; readonly tenant: Tenant; readonly broker: HostileBroker }

/** A tenant whose broker sends this and nothing else. */
export async function connectHostile(t: CleanUp, service: Service, { name, options }: Garbage): Promise<StreamTenant> {
  const broker = await startHostileBroker(options('telemetry'))
  t.after(() => broker.close())
  const tenant = await service.newTenant()
  await connectStream(tenant, { brokers: [broker.address], topic: 'telemetry' })
  return { name, tenant, broker }
}

export type HonestTenant = StreamTenant & {
  /** One more reading is in the topic; resolves when it is stored and billed. */
  sendOne(): Promise<void>
}

export async function connectHonest(t: CleanUp, service: Service): Promise<HonestTenant> {
  const values: string[] = []
  const records = () =>
    Buffer.concat(values.map((value, nth) => recordBatch(record(value), { firstOffset: BigInt(nth), timestamp: BigInt(Date.now()) })))
  const honest = await connectHostile(t, service, { name: 'an honest broker', options: (topic) => ({ topic, records }) })
  const sendOne = async () => {
    const timestamp = new Date(Date.now() - 60_000 + values.length * 10).toISOString()
    values.push(JSON.stringify({ vehicle_id: 'truck-1', timestamp, odometer: values.length }))
    const stored = async () => (await countsOf(service.database, honest.tenant)).stored
    await until('the honest stream goes on', async () => (await stored()) === values.length, stored)
    assert.deepEqual(await countsOf(service.database, honest.tenant), { stored: values.length, billed: values.length })
  }
  return { ...honest, sendOne }
}

/** It is not being read, and its reseller sees why. */
export async function untilRefused({ name, tenant }: StreamTenant): Promise<string> {
  // Of the moment in which it is refused: a moment later it is tried again.
  let status = await statusOf(tenant)
  const isRefused = async () => {
    status = await statusOf(tenant)
    return ['failed', 'quarantined'].includes(status.state)
  }
  await until(`${name} is refused`, isRefused, () => status)
  const { detail } = status
  assert.ok(detail !== null && detail.length > 5, `${name}: ${detail}`)
  return detail
}
