// For tests of the message stream: readings that can be distinguished, and what a tenant has of them.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKafkaBroker, type KafkaBroker } from '@roadworthy/kafka/testing-kafka'
import type { StreamMessage } from '@roadworthy/kafka/testing-topic'
import { untilTaken } from '@roadworthy/platform/test-support'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { ok, openService, type Row, type Service, type Tenant } from './service.ts'

const classPath = process.env['KAFKA_CLASS_PATH']
/** Why there is no stream to test, if so. */
export const noKafka = classPath === undefined ? 'no Kafka: run `npm run test:kafka`, which fetches one' : false
/** Has the service read from brokers on this machine. */
export const STREAM_FLAGS = ['--stream-allow-cidrs', '127.0.0.0/8']

/** A broker, and a service that may read from it. */
export async function openStreamBench(t: CleanUp): Promise<{ broker: KafkaBroker; service: Service }> {
  const broker = await createKafkaBroker(classPath ?? assert.fail('there is no Kafka'))
  t.after(() => broker.remove())
  await broker.start()
  return { broker, service: await openService(t, { flags: STREAM_FLAGS }) }
}

const POLL_MS = 100
const WAIT_BOUND_MS = 180_000

/** Readings of some vehicles, each with a time and a speed of its own, the oldest first. */
export function streamReadings(count: number, { vehicles = 10, from = 0 } = {}): StreamMessage[] {
  const firstMs = Date.now() - 3_600_000
  return Array.from({ length: count }, (_, i) => {
    const nth = from + i
    const vehicle = `truck-${nth % vehicles}`
    return {
      key: vehicle,
      value: { vehicle_id: vehicle, timestamp: new Date(firstMs + nth * 10).toISOString(), speed: nth % 120, odometer: nth },
    }
  })
}

export async function connectStream(tenant: Tenant, body: Row): Promise<Row> {
  // Of several at once one may be asked to come back, where the machine has much to do.
  return ok<Row>(await untilTaken(() => tenant.platform('PUT', '/stream-connection', { body })))
}

/** Of the connection, as its owner sees it. Asked again and again: what a busy machine asks to repeat is repeated. */
export async function statusOf(
  tenant: Tenant,
): Promise<{ state: string; detail: string | null; lagMessages: number | null; consumers: Row[] }> {
  return ok<{ status: never }>(await untilTaken(() => tenant.platform('GET', '/stream-connection'))).status
}

/** How many readings there are, how many of them differ, and how many are billed. */
export async function countsOf(database: Database, { slug }: Tenant): Promise<{ stored: number; billed: number }> {
  const { rows } = await database.systemPool.query<{ stored: number; billed: number }>(
    `select (select count(*)::int from readings where reseller_id = $1) as stored,
            (select coalesce(sum(count), 0)::int from usage_entries where reseller_id = $1 and meter = 'points_ingested')
              + (select coalesce(sum(count), 0)::int from usage_lines where reseller_id = $1 and meter = 'points_ingested') as billed`,
    [slug],
  )
  return rows[0] ?? assert.fail()
}

/** Waits for something that is known to come; what it is waiting for stands in the error when it does not. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, detail: () => unknown = () => ''): Promise<void> {
  const deadlineMs = performance.now() + WAIT_BOUND_MS
  while (!(await isSo())) {
    if (performance.now() > deadlineMs)
      assert.fail(`in ${WAIT_BOUND_MS} ms it did not come to this: ${what} ${JSON.stringify(await detail())}`)
    await sleep(POLL_MS)
  }
}
