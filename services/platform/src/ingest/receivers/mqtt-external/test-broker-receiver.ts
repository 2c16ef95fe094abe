// For tests of the receiver to an external broker: a receiver with the real pipeline on a PostgreSQL of its own, behind a Mosquitto.

import type { TestContext } from 'node:test'
import { startTcpProxy, type TcpProxy } from '@roadworthy/service-kit/network/test-tcp-proxy'
import { type Database, databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { connectAsync, type MqttClient } from 'mqtt'
import { createDirectory } from '../../../devices/directory.ts'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../../../test-support.ts'
import { defaultGroupCommitLimits } from '../../group-commit.ts'
import { createIngestPipeline } from '../../pipeline.ts'
import { unlimited } from '../../reading-quota.ts'
import type { BrokerPlan } from './broker-connection.ts'
import { type BrokerReceiver, createBrokerReceiver } from './broker-receiver.ts'

const RESELLER = 'acme'
export const DEVICE = 'dev-aaaaaaaa0001'
export const OTHER_DEVICE = 'dev-bbbbbbbb0002'
export const topicOf = (deviceId: string, last = 'telemetry') => `fleet/${RESELLER}/devices/${deviceId}/${last}`

const PATIENCE_MS = 120_000
const POLL_MS = 20

export type BrokerBench = {
  readonly database: Database
  readonly run: (sql: string, ...values: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>
  /** Between the receivers and the database; the test's own statements go round it. */
  readonly databaseProxy: TcpProxy
  openReceiver(port: number, own?: Partial<ReceiverOptions>): BrokerReceiver
  storedCount(deviceId?: string): Promise<number>
}

type ReceiverOptions = Omit<BrokerPlan, 'filters' | 'sessionExpiryS' | 'host' | 'port'> & { shareGroup: string | undefined }

export async function openBench(t: Pick<TestContext, 'after'>): Promise<BrokerBench> {
  const closeFirst: (() => Promise<void>)[] = []
  const { database, ownerUrl } = await openTestDatabase({ after: (close) => closeFirst.unshift(close) })
  t.after(async () => {
    for (const close of closeFirst.reverse()) await close()
  })
  await insertReseller(database, RESELLER)
  const run = (sql: string, ...values: unknown[]) => database.systemPool.query(sql, values)
  await run(
    `insert into devices (reseller_id, device_id, device_type, connection_method, status) values
       ($1, $2, 'other', 'mqtt', 'pending'), ($1, $3, 'other', 'mqtt', 'active')`,
    RESELLER,
    DEVICE,
    OTHER_DEVICE,
  )
  const url = new URL(ownerUrl)
  const databaseProxy = await startTcpProxy(
    { after: (close) => void closeFirst.push(async () => void (await (close as () => unknown)())) },
    Number(url.port),
  )
  url.port = String(databaseProxy.port)
  const behindProxy = openDatabase(databaseUrls(url.href, TEST_SECRET_KEY), { appConnections: 4, systemConnections: 2, onError: () => {} })
  closeFirst.push(() => behindProxy.close())
  const now = () => new Date()
  return {
    database,
    run,
    databaseProxy,
    openReceiver: (port, own = {}) => {
      const directory = createDirectory({ database: behindProxy, now, onFleetChanged: () => {} })
      const { ingest } = createIngestPipeline({
        database: behindProxy,
        directory,
        now,
        window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
        quota: unlimited,
        limits: defaultGroupCommitLimits,
        onUnstorable: (error) => console.error('unstorable', error),
      })
      const anonymous = { tls: undefined, username: undefined, password: undefined, clientId: 'platform-1' }
      const { shareGroup, ...plan } = { ...anonymous, protocolVersion: 5 as const, receiveMaximum: 1_000, shareGroup: 'platform', ...own }
      const receiver = createBrokerReceiver({
        plan: { ...plan, host: '127.0.0.1', port, sessionExpiryS: 3_600 },
        shareGroup,
        topicPrefix: 'fleet',
        ingest,
        hasLapsed: (resellerId) => directory.hasLapsed(resellerId),
        isStoreThere: () => behindProxy.ping(),
        now,
        random: Math.random,
        log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      })
      receiver.start()
      closeFirst.push(() => receiver.close())
      return receiver
    },
    storedCount: async (deviceId = DEVICE) => {
      const { rows } = await run('select count(*)::int as n from readings where device_id = $1', deviceId)
      return Number(rows[0]?.['n'])
    },
  }
}

let clockMs = Date.now() - 3_600_000
/** Another one each time. */
export const reading = () => ({ timestamp: new Date(clockMs++).toISOString(), lat: 28.6, lon: 77.2, speed: 61, coolant_temp: 92 })

/** A device, or whoever reads what is sent to devices. */
export async function connectDevice(t: Pick<TestContext, 'after'>, url: string): Promise<MqttClient> {
  const client = await connectAsync(url, { reconnectPeriod: 100, clientId: `device-${process.hrtime.bigint()}`, clean: false })
  client.on('error', () => undefined)
  t.after(() => client.endAsync(true))
  return client
}

/** Waits for something that must come; what that is stands in the failure. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`waited in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
