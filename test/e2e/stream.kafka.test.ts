// Goal: what is in a topic becomes readings, each stored and billed once, and what cannot be taken is set aside with its reason. Method: the
// service as a process, called as a reseller would, and a real Kafka; `npm run test:kafka` fetches it and runs this.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { type KafkaBroker, SASL_USER } from '@roadworthy/kafka/testing-kafka'
import { collectTopic, createTopic } from '@roadworthy/kafka/testing-topic'
import { lastFirst } from '@roadworthy/platform/surfaces/test-api'
import { ok, type Row, type Service, type Tenant } from '../support/service.ts'
import { connectStream, countsOf, noKafka, openStreamBench, statusOf, streamReadings, until } from '../support/stream.ts'

const options = { skip: noKafka, timeout: 900_000 }

const cleanUp = lastFirst({ after })
let broker: KafkaBroker
let service: Service
before(async () => {
  if (noKafka === false) ({ broker, service } = await openStreamBench(cleanUp))
})

const counted = (tenant: Tenant) => countsOf(service.database, tenant)
/** By the lag as it was last measured, which may have been before the messages were there: what follows from them is waited for by itself. */
const isSettled = async (tenant: Tenant) => {
  const { state, lagMessages } = await statusOf(tenant)
  return state === 'running' && lagMessages === 0
}
/** Those that have reported and have not left. The platform shows none as soon as a connection is switched off, before they have heard of it. */
async function consumerCount({ slug }: Tenant): Promise<number> {
  const { rows } = await service.database.systemPool.query('select 1 from stream_consumers where reseller_id = $1', [slug])
  return rows.length
}

async function registerDevice(tenant: Tenant, imei: string): Promise<string> {
  return ok<{ device_id: string }>(await tenant.external('POST', '/devices', { body: { name: 'Tracker', imei } })).device_id
}

test('bare JSON, arrays and CloudEvents become readings, of the device that the record or its key names', options, async (t) => {
  const tenant = await service.newTenant()
  const topic = await createTopic(t, broker.address)
  const device = await registerDevice(tenant, '356938035643809')
  const at = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1000).toISOString()
  const envelope = { specversion: '1.0', id: '1', source: '/gateway', type: 'telemetry' }
  await topic.send([
    { value: { device_id: device, timestamp: at(60), speed: 10 } },
    { key: '356938035643809', value: { timestamp: at(50), coolant_temp: 90 } },
    {
      key: device,
      value: [
        { timestamp: at(45), speed: 11 },
        { timestamp: at(44), lat: 12.9, lon: 77.6 },
      ],
    },
    { value: { ...envelope, time: at(40), data: { device_id: device, speed: 12 } } },
    {
      key: device,
      value: { speed: 13 },
      headers: {
        ce_specversion: '1.0',
        ce_id: '2',
        ce_source: '/gateway',
        ce_type: 'telemetry',
        ce_time: at(30),
        'content-type': 'application/json',
      },
    },
    { value: { vehicle_id: 'truck-1', timestamp: at(20), speed: 14 } },
    { key: device, value: { speed: 15 } },
  ])
  await connectStream(tenant, { brokers: [broker.address], topic: topic.name })
  await until(
    'eight readings',
    async () => (await counted(tenant)).stored === 8,
    () => statusOf(tenant),
  )
  assert.deepEqual(await counted(tenant), { stored: 8, billed: 8 })
  const { rows } = await service.database.systemPool.query<{ speed: number; recorded: string }>(
    `select (signals->>'vehicleSpeedKmh')::float8 as speed, recorded_at::text as recorded from readings where reseller_id = $1 and device_id = $2
      order by recorded_at`,
    [tenant.slug, device],
  )
  assert.deepEqual(
    rows.map(({ speed }) => speed),
    [10, null, 11, null, 12, 13, 15],
    'in the order of their times, events by their own',
  )
  await until(
    'no lag',
    () => isSettled(tenant),
    () => statusOf(tenant),
  )
  await until('it reports what it stored', async () => (await statusOf(tenant)).consumers[0]?.['storedRecords'] === 8)
  const { consumers } = await statusOf(tenant)
  assert.equal(consumers.length, 1)
  assert.deepEqual([consumers[0]?.['storedRecords'], consumers[0]?.['deadLetters'], consumers[0]?.['partitions']], [8, 0, [0, 1, 2, 3]])
})

test('while the subscription of a reseller has ended its topic is left alone; afterwards it is read on', options, async (t) => {
  const tenant = await service.newTenant()
  const topic = await createTopic(t, broker.address)
  const readings = streamReadings(60)
  await connectStream(tenant, { brokers: [broker.address], topic: topic.name })
  await topic.send(readings.slice(0, 30))
  const has = async (count: number) => (await counted(tenant)).stored === count
  await until('the first readings', () => has(30))
  const subscribe = (subscription: string) =>
    service.database.systemPool.query('update resellers set subscription = $2 where reseller_id = $1', [tenant.slug, subscription])
  await until('it is read', async () => (await consumerCount(tenant)) === 1)
  await subscribe('canceled')
  await until('nobody reads it', async () => (await consumerCount(tenant)) === 0)
  await topic.send(readings.slice(30))
  await subscribe('active')
  await until('the rest', () => has(60))
  assert.deepEqual(await counted(tenant), { stored: 60, billed: 60 })
})

test('what is sent twice, and a topic that is read again from its beginning, is stored and billed once', options, async (t) => {
  const tenant = await service.newTenant()
  const topic = await createTopic(t, broker.address)
  const readings = streamReadings(500)
  // Without a time of its own a reading has that of its record.
  const timeless = Array.from({ length: 20 }, (_, i) => ({ key: 'truck-9', value: { vehicle_id: 'truck-9', odometer: i } }))
  await topic.send([...readings, ...timeless, ...readings.slice(100, 300)])
  const connection = { brokers: [broker.address], topic: topic.name, groupId: 'first' }
  await connectStream(tenant, connection)
  await until(
    'every reading',
    async () => (await counted(tenant)).stored === 520,
    () => statusOf(tenant),
  )
  await until(
    'the end of the topic',
    () => isSettled(tenant),
    () => statusOf(tenant),
  )
  assert.deepEqual(await counted(tenant), { stored: 520, billed: 520 })
  await connectStream(tenant, { ...connection, groupId: 'second' })
  await until(
    'everything is known',
    async () => (await statusOf(tenant)).consumers.some(({ duplicateRecords }) => duplicateRecords === 720),
    () => statusOf(tenant),
  )
  assert.deepEqual(await counted(tenant), { stored: 520, billed: 520 })
})

test('what cannot be taken is set aside with its bytes and the reason, and keeps nothing from being stored', options, async (t) => {
  const tenant = await service.newTenant()
  const topic = await createTopic(t, broker.address)
  const device = await registerDevice(tenant, '356938035643817')
  const letters = await collectTopic(t, broker.address, `${topic.name}.dlq`)
  const old = new Date(Date.now() - 40 * 86_400_000)
  const poison: readonly [value: string, code: string, reason: RegExp, headers?: Record<string, string>][] = [
    ['{"speed":', 'invalid_json', /JSON/],
    ['[]', 'invalid_request', /no record/],
    ['{"specversion":"2.0","data":{}}', 'invalid_cloudevent', /2\.0/],
    ['{"speed":12}', 'invalid_request', /"device_id" or "vehicle_id" is required/],
    ['{"device_id":"nobody","speed":12}', 'device_not_found', /no registered device/],
    [`{"device_id":"${device}","timestamp":"${old.toISOString()}"}`, 'invalid_request', /more than 30 days ago/],
    [`{"device_id":"${device}","speed":"fast"}`, 'invalid_request', /"speed" must be a number/],
    [`[{"device_id":"${device}","odometer":77},{"device_id":"nobody"}]`, 'device_not_found', /^Record 1 of 2: /],
    [`{"device_id":"${device}","extra":{"a":"${'x'.repeat(70_000)}"}}`, 'payload_too_large', /65536/],
    ['{"data":1}', 'invalid_cloudevent', /not JSON/, { ce_specversion: '1.0', 'content-type': 'image/png' }],
  ]
  await topic.send(poison.map(([value, , , headers = {}], i) => ({ value, headers: { ...headers, nth: String(i) } })))
  await topic.send([{ key: device, value: { device_id: device, speed: 7 }, timestampMs: old.getTime() }])
  await topic.send(streamReadings(50))
  await connectStream(tenant, { brokers: [broker.address], topic: topic.name })
  await until(
    'every reading',
    async () => (await counted(tenant)).stored === 51,
    () => statusOf(tenant),
  )
  await until('every dead letter', () => letters.length >= poison.length + 1)
  for (const [i, [value, code, reason]] of poison.entries()) {
    const letter = letters.find(({ headers }) => headers['nth'] === String(i))
    assert.equal(letter?.value, value, `message ${i} with its bytes`)
    assert.equal(letter?.headers['dead-letter-code'], code, `message ${i}`)
    assert.match(letter?.headers['dead-letter-reason'] ?? '', reason)
    assert.equal(letter?.headers['dead-letter-topic'], topic.name)
  }
  const stale = letters.find(({ headers }) => headers['nth'] === undefined)
  assert.match(stale?.headers['dead-letter-reason'] ?? '', /LogAppendTime/)
  await until(
    'no lag',
    () => isSettled(tenant),
    () => statusOf(tenant),
  )
  const deadLetters = async () => (await statusOf(tenant)).consumers[0]?.['deadLetters']
  await until('it reports what it set aside', async () => (await deadLetters()) === poison.length + 1, deadLetters)
  assert.deepEqual(await counted(tenant), { stored: 51, billed: 51 })
})

test('without a topic for dead letters the first of them stops the reading and loses nothing; with one it goes on', options, async (t) => {
  const tenant = await service.newTenant()
  const topic = await createTopic(t, broker.address, { hasDeadLetters: false })
  await connectStream(tenant, { brokers: [broker.address], topic: topic.name })
  await until(
    'a warning',
    async () => /no topic/.test((await statusOf(tenant)).detail ?? ''),
    () => statusOf(tenant),
  )
  await topic.send([{ value: 'no JSON' }, ...streamReadings(20)])
  await until(
    'it waits',
    async () => (await statusOf(tenant)).state === 'waiting',
    () => statusOf(tenant),
  )
  await topic.admin.createTopics({ topics: [`${topic.name}.dlq`], partitions: 1, replicas: 1 })
  const letters = await collectTopic(t, broker.address, `${topic.name}.dlq`)
  await until(
    'it goes on',
    () => isSettled(tenant),
    () => statusOf(tenant),
  )
  await until('the dead letter', () => letters.length >= 1)
  // The lag that is reported may be of the time before the messages were sent.
  await until('every reading', async () => (await counted(tenant)).stored === 20)
  assert.deepEqual(await counted(tenant), { stored: 20, billed: 20 })
})

test(
  'a topic that is made again under its name is read from its beginning, and one that was cut from the earliest there is',
  options,
  async (t) => {
    const tenant = await service.newTenant()
    const topic = await createTopic(t, broker.address)
    const connection = { brokers: [broker.address], topic: topic.name }
    await topic.send(streamReadings(400))
    await connectStream(tenant, connection)
    await until(
      '400 readings',
      async () => (await counted(tenant)).stored === 400,
      () => statusOf(tenant),
    )
    await topic.admin.deleteTopics({ topics: [topic.name] })
    await until(
      'it is reported',
      async () => (await statusOf(tenant)).state === 'failed',
      () => statusOf(tenant),
    )
    await topic.admin.createTopics({ topics: [topic.name], partitions: 4, replicas: 1 })
    // More than was read of the first, so that no offset is out of range.
    await topic.send(streamReadings(600, { from: 400 }))
    await until(
      '1,000 readings',
      async () => (await counted(tenant)).stored === 1000,
      () => statusOf(tenant),
    )
    await until(
      'no lag',
      () => isSettled(tenant),
      () => statusOf(tenant),
    )

    await connectStream(tenant, { ...connection, enabled: false })
    await until('nobody reads', async () => (await consumerCount(tenant)) === 0)
    await topic.send(streamReadings(200, { from: 1000 }))
    const partitions = Array.from({ length: 4 }, (_, partition) => ({ partition, offset: -1n }))
    await topic.admin.deleteRecords({ topics: [{ name: topic.name, partitions }] })
    await connectStream(tenant, connection)
    await topic.send(streamReadings(100, { from: 1200 }))
    await until(
      'what is still there',
      async () => (await counted(tenant)).stored === 1100,
      () => statusOf(tenant),
    )
    const isLoss = (detail: string | null) => /^Offset \d+ of partition \d is not in the topic any more/.test(detail ?? '')
    await until(
      'it is reported',
      async () => isLoss((await statusOf(tenant)).detail),
      () => statusOf(tenant),
    )
  },
)

test('a partition that is added to the topic is read from its first message', options, async (t) => {
  const tenant = await service.newTenant()
  const topic = await createTopic(t, broker.address)
  await connectStream(tenant, { brokers: [broker.address], topic: topic.name, startAt: 'latest' })
  await until(
    'it runs',
    () => isSettled(tenant),
    () => statusOf(tenant),
  )
  await topic.admin.createPartitions({ topics: [{ name: topic.name, count: 6, assignments: null }] })
  await until(
    'six partitions',
    async () => (await statusOf(tenant)).consumers[0]?.['partitions']?.toString() === '0,1,2,3,4,5',
    () => statusOf(tenant),
  )
  await topic.send(streamReadings(100, { vehicles: 50 }))
  await until(
    'every reading',
    async () => (await counted(tenant)).stored === 100,
    () => statusOf(tenant),
  )
})

test('TLS and a sign-in are spoken, secrets stay hidden and stay stored, and a change acts at once', options, async (t) => {
  const tenant = await service.newTenant()
  const topic = await createTopic(t, broker.address)
  const ca = readFileSync(broker.certificates.authority.certFile, 'utf8')
  const sasl = { mechanism: 'SCRAM-SHA-512', username: SASL_USER.username }
  const connection = { brokers: [broker.secureAddress], topic: topic.name, tls: { ca } }
  const stored = await connectStream(tenant, { ...connection, sasl: { ...sasl, password: SASL_USER.password } })
  assert.deepEqual(stored['sasl'], { ...sasl, hasPassword: true })
  assert.ok(!JSON.stringify(stored).includes(SASL_USER.password))
  await topic.send(streamReadings(30))
  await until(
    'the readings',
    async () => (await counted(tenant)).stored === 30,
    () => statusOf(tenant),
  )
  // The password is kept; the mechanism is another.
  await connectStream(tenant, { ...connection, sasl: { ...sasl, mechanism: 'SCRAM-SHA-256' } })
  await topic.send(streamReadings(30, { from: 30 }))
  await until(
    'more of them',
    async () => (await counted(tenant)).stored === 60,
    () => statusOf(tenant),
  )
  await connectStream(tenant, { ...connection, sasl: { ...sasl, password: 'guessed' } })
  await until(
    'a refusal',
    async () => (await statusOf(tenant)).state === 'failed',
    () => statusOf(tenant),
  )
  assert.match((await statusOf(tenant)).detail ?? '', /authentication/i)

  const key = readFileSync(broker.certificates.client.keyFile, 'utf8')
  const certificate = readFileSync(broker.certificates.client.certFile, 'utf8')
  const byCertificate = await connectStream(tenant, { ...connection, brokers: [broker.certificateAddress], tls: { ca, certificate, key } })
  assert.deepEqual(byCertificate['tls'], { ca, certificate, hasKey: true })
  await topic.send(streamReadings(30, { from: 60 }))
  await until(
    'all of them',
    async () => (await counted(tenant)).stored === 90,
    () => statusOf(tenant),
  )
  assert.ok(!service.platform.output().includes(SASL_USER.password))
  assert.deepEqual(ok(await tenant.platform('DELETE', '/stream-connection')), { deleted: true })
})

test('the test of a connection fails at the step that is wrong, and shows what would be right', options, async (t) => {
  const tenant = await service.newTenant()
  const topic = await createTopic(t, broker.address)
  const bare = await createTopic(t, broker.address, { hasDeadLetters: false })
  const ca = readFileSync(broker.certificates.authority.certFile, 'utf8')
  const sasl = { mechanism: 'SCRAM-SHA-512', ...SASL_USER }
  const plain = { brokers: [broker.address], topic: topic.name, enabled: false }
  const secure = { ...plain, brokers: [broker.secureAddress], tls: { ca }, sasl }
  const run = async (body: Row) => {
    await connectStream(tenant, body)
    const { success, steps } = ok<{ success: boolean; steps: { step: string; status: string; detail: string }[] }>(
      await tenant.platform('POST', '/stream-connection/test'),
    )
    assert.deepEqual(
      steps.map(({ step }) => step),
      ['name', 'tcp', 'tls', 'authentication', 'topic', 'sample'],
    )
    const failed = steps.findIndex(({ status }) => status === 'failed')
    assert.equal(success, failed === -1)
    if (failed !== -1) assert.ok(steps.slice(failed + 1).every(({ status }) => status === 'skipped'))
    return { failed: steps[failed]?.step, detail: steps[failed]?.detail ?? '', steps }
  }
  const failures: readonly [body: Row, step: string, detail: RegExp][] = [
    [{ ...plain, brokers: ['no-such-host.invalid:9092'] }, 'name', /no-such-host\.invalid/],
    [{ ...plain, brokers: ['127.0.0.1:1024'] }, 'tcp', /refuses connections \(ECONNREFUSED\)/],
    [{ ...plain, tls: {} }, 'tls', /does not speak TLS/],
    [{ ...secure, tls: {} }, 'tls', /Give the authority that signed it as "tls\.ca"/],
    [{ ...plain, brokers: [broker.secureAddress] }, 'authentication', /speaks TLS/],
    [{ ...secure, sasl: { ...sasl, password: 'guessed' } }, 'authentication', /Check "sasl\.username", "sasl\.password"/],
    [{ ...secure, sasl: null }, 'authentication', /may want a sign-in/],
    [{ ...plain, brokers: [broker.certificateAddress], tls: { ca } }, 'authentication', /certificate/],
    [{ ...plain, topic: 'nobody-made-this' }, 'topic', /no topic "nobody-made-this"/],
    [{ ...plain, topic: bare.name }, 'topic', /no topic "\w+\.dlq".*Create it/],
  ]
  for (const [body, step, detail] of failures) {
    const answer = await run(body)
    assert.equal(answer.failed, step, JSON.stringify(answer))
    assert.match(answer.detail, detail)
  }
  const empty = await run(secure)
  assert.equal(empty.failed, undefined, JSON.stringify(empty))
  assert.match(empty.steps[5]?.detail ?? '', /topic is empty/)
  await topic.send([{ value: 'no JSON' }])
  assert.match((await run(plain)).detail, /would be set aside.*JSON/)
  await topic.send([{ value: { device_id: 'nobody', speed: 1 } }])
  assert.match((await run(plain)).detail, /would be set aside: There is no registered device with the id or IMEI "nobody"/)
  await topic.send([{ value: { vehicle_id: 'truck-1', speed: 1 } }])
  const good = await run(plain)
  assert.equal(good.failed, undefined, JSON.stringify(good))
  assert.match(good.steps[5]?.detail ?? '', /would be taken: vehicle "truck-1", which it would create/)
  assert.deepEqual(await counted(tenant), { stored: 0, billed: 0 }, 'nothing is stored by a test')
})
