// Goal: what is done together for several keeps their traces apart. Method: the functions of ingest, scoring and events on a database, and a collector.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { writeEvents } from '@roadworthy/platform/events/outbox'
import type { Ingest } from '@roadworthy/platform/ingest/inbound'
import { defaultMqttLimits } from '@roadworthy/platform/ingest/receivers/mqtt-embedded/limits'
import { type Publish, PublishQueue } from '@roadworthy/platform/ingest/receivers/mqtt-embedded/publish-queue'
import { ScoreTraces } from '@roadworthy/platform/predictions/scoring/trace-scores'
import { createReading } from '@roadworthy/platform/readings/reading'
import { insertReseller, onOnePostgres, openTestDatabase, storeReadings } from '@roadworthy/platform/test-support'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Tracer } from '@roadworthy/service-kit/telemetry/tracer'
import {
  activeSpan,
  startChildSpan,
  startEntrySpan,
  startTracing,
  tracedAs,
  traceHeaders,
  withinSpan,
} from '@roadworthy/service-kit/telemetry/tracing'
import { startCollector, type TraceCollector } from '../support/trace-collector.ts'

const [ONE, OTHER] = ['a'.repeat(32), 'c'.repeat(32)]
const traceparentOf = (traceId: string) => `00-${traceId}-${'b'.repeat(16)}-01`
const AT = new Date('2026-11-20T12:00:00.000Z')

const cleanUps: (() => Promise<void> | void)[] = []
const t = { after: (cleanUp: () => Promise<void> | void) => void cleanUps.push(cleanUp) }
let collector: TraceCollector
let tracer: Tracer
let database: Database

before(async () => {
  collector = await startCollector(t)
  const sampling = { sampler: 'parentbased_always_off', ratio: 1, trustsCallers: false } as const
  const service = { serviceName: 'test', serviceVersion: '1', resourceAttributes: {} }
  const log = { info: () => undefined, warn: () => undefined }
  tracer = await startTracing({ url: `${collector.url}/v1/traces`, headers: {}, ...service, ...sampling }, log)
  database = (await openTestDatabase(t)).database
  await insertReseller(database, 'acme')
})

after(async () => {
  await tracer.stop()
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

function readingOf(vehicleId: string) {
  const content = { recordedAtMs: AT.getTime(), position: undefined, signals: {}, attributes: {}, implausible: [] }
  const about = {
    kind: 'telemetry',
    resellerId: 'acme',
    sourceId: vehicleId,
    deviceId: undefined,
    vehicleId,
    subClientId: undefined,
  } as const
  return createReading(content, { ...about, receivedAtMs: AT.getTime() })
}

const store = (vehicleId: string, traceparent: string | undefined) =>
  tracedAs(startEntrySpan({ name: `caller of ${vehicleId}`, kind: 'server' }, [traceparent]), () =>
    storeReadings(database, [readingOf(vehicleId)]),
  )

async function column(sql: string): Promise<unknown[][]> {
  const { rows } = await database.systemPool.query(sql)
  return rows.map((row) => Object.values(row as object))
}

const traceIdOf = (traceparent: unknown) => (traceparent === null ? null : String(traceparent).split('-')[1])

const onOne = onOnePostgres('the readings of three vehicles come together only where there are no shards')

test(
  'a commit is a child of one request and linked to the others; each leaves its own mark, and who is not traced none',
  onOne,
  async () => {
    // The store is known from here on, and the three below come together.
    await store('veh-0', undefined)
    await Promise.all([store('veh-1', traceparentOf(ONE)), store('veh-2', traceparentOf(OTHER)), store('veh-3', undefined)])
    const isThere = (name: string) => collector.spans.find((span) => span.name === name)
    await collector.until(() => ['commit readings', 'caller of veh-1', 'caller of veh-2'].every(isThere), 'the commit')
    const commit = isThere('commit readings')
    assert.deepEqual([commit?.traceId, commit?.parentSpanId], [ONE, isThere('caller of veh-1')?.spanId])
    assert.deepEqual(commit?.linkedSpanIds, [isThere('caller of veh-2')?.spanId])
    assert.equal(commit?.attributes['fleet.requests.count'], 3)
    const marks = await column('select vehicle_id, traceparent from trace_marks order by vehicle_id')
    assert.deepEqual(
      marks.map(([vehicleId, traceparent]) => [vehicleId, traceIdOf(traceparent)]),
      [
        ['veh-1', ONE],
        ['veh-2', OTHER],
      ],
    )
  },
)

test(
  'a score of older readings leaves the mark; one of these publishes each vehicle in its own trace, and takes the marks of what was stored',
  onOne,
  async () => {
    const subjects = (readingAt: Date) => ['veh-1', 'veh-2', 'veh-3'].map((vehicleId) => ({ resellerId: 'acme', vehicleId, readingAt }))
    const publish = async (traces: ScoreTraces, stored: readonly string[]) =>
      await traces.follow(() =>
        database.system(async (db) => {
          const device = {
            deviceId: 'dev-1',
            imei: null,
            name: null,
            online: false,
            reason: 'silent',
            lastSeenAt: null,
            disconnectedAt: null,
          } as const
          const events = subjects(AT).map(({ vehicleId }) => {
            return {
              resellerId: 'acme',
              type: 'device.offline',
              data: { ...device, vehicleId },
              subClientId: undefined,
              occurredAt: AT,
            } as const
          })
          await writeEvents(db, events)
          await traces.close(
            db,
            stored.map((vehicleId) => ({ resellerId: 'acme', vehicleId })),
          )
        }),
      )
    const published = async () =>
      (await column(`select data->>'vehicleId', traceparent from event_outbox order by outbox_id desc limit 3`))
        .map(([vehicleId, traceparent]) => [vehicleId, traceIdOf(traceparent)])
        .reverse()
    await publish(await ScoreTraces.open(database.systemPool, subjects(new Date(AT.getTime() - 1))), ['veh-1', 'veh-2', 'veh-3'])
    assert.deepEqual(await published(), [
      ['veh-1', null],
      ['veh-2', null],
      ['veh-3', null],
    ])
    await publish(await ScoreTraces.open(database.systemPool, subjects(AT)), ['veh-1', 'veh-3'])
    assert.deepEqual(await published(), [
      ['veh-1', ONE],
      ['veh-2', OTHER],
      ['veh-3', null],
    ])
    assert.deepEqual(await column('select vehicle_id from trace_marks'), [['veh-2']])
  },
)

test('messages of MQTT that are taken together go on with the first trace that is kept among them', async () => {
  const during: (string | undefined)[] = []
  const outcome = {
    status: 'stored',
    readingId: 'tel-1',
    deviceId: undefined,
    vehicleId: undefined,
    subClientId: undefined,
    receivedAtMs: 0,
  } as const
  const ingest: Ingest = async (batch) => {
    during.push(activeSpan()?.traceparent)
    return batch.map(() => outcome)
  }
  const queue = new PublishQueue({ ingest, limits: defaultMqttLimits, onStoreAway: (error) => assert.fail(error) })
  const publish = (traceparent: string | undefined): Publish => ({
    payloadBytes: 2,
    traceparent,
    decode: () => ({ inbound: [{ resellerId: 'acme', kind: 'telemetry', record: {} }], frame: { indexes: [0], refusals: [] } }),
    settle: () => ({ release: () => undefined }),
  })
  for (const each of [undefined, 'none', traceparentOf(OTHER).replace(/01$/, '00'), traceparentOf(ONE), traceparentOf(OTHER)])
    queue.push(publish(each))
  await queue.idle()
  queue.push(publish(undefined))
  await queue.idle()
  assert.deepEqual([traceIdOf(during[0]), during[1], during.length], [ONE, undefined, 2])
})

test('the tracestate of a lone caller goes with its trace to the next service, and none with a trace of its own', () => {
  const sentFor = (callers: readonly unknown[], tracestate: unknown) => {
    const entry = startEntrySpan({ name: 'request', kind: 'server' }, callers, tracestate)
    return withinSpan(entry, () => traceHeaders(startChildSpan({ name: 'question', kind: 'client' })))
  }
  const sent = sentFor([traceparentOf(ONE)], 'vendor=a')
  assert.deepEqual([traceIdOf(sent['traceparent']), sent['tracestate']], [ONE, 'vendor=a'])
  assert.equal('tracestate' in sentFor([traceparentOf(ONE)], undefined), false)
  assert.equal('tracestate' in sentFor(['none'], 'vendor=a'), false)
})
