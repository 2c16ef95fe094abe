// Goal: a Mosquitto with the dynamic-security plugin lets in who is registered and nobody else, whatever was away or died meanwhile. Method:
// devices through the API, rounds called by hand, a real Mosquitto and clients that sign in to it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  type Broker,
  dynamicSecurityFrom,
  dynamicSecurityIn,
  hasDynamicSecurity,
  MQTT_USER,
  startMosquittoWith,
} from '@roadworthy/service-kit/network/test-mosquitto'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { connectAsync, type MqttClient } from 'mqtt'
import { BROKER_PASSWORDS, createBrokerAccounts } from '../../../devices/broker-accounts.ts'
import { allBrokerLogins } from '../../../devices/broker-logins.ts'
import { createMosquittoHash } from '../../../devices/credentials.ts'
import { type FleetApp, openFleetApp } from '../../../test-fleet-app.ts'
import { TEST_SECRET_KEY } from '../../../test-support.ts'
import { type Command, DynamicSecurity } from './dynamic-security.ts'
import { AccountKeeper } from './keep-accounts.ts'
import { type DeviceAccount, dynamicSecurityConfiguration } from './mosquitto-files.ts'
import { until } from './test-broker-receiver.ts'

const options = { skip: hasDynamicSecurity ? false : 'Mosquitto or its dynamic-security plugin is not installed', timeout: 600_000 }
const sealer = createSealer(TEST_SECRET_KEY, BROKER_PASSWORDS)
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

type Bench = {
  broker: Broker
  fleet: FleetApp
  keeper: AccountKeeper
  dynamicSecurity: DynamicSecurity
  /** Rounds until nothing waits. */
  settle(): Promise<void>
}

/** Another process that looks after the accounts. */
async function openKeeper(t: TestContext, broker: Broker, fleet: FleetApp): Promise<Pick<Bench, 'keeper' | 'dynamicSecurity' | 'settle'>> {
  const plan = {
    host: '127.0.0.1',
    port: broker.port,
    tls: undefined,
    protocolVersion: 5 as const,
    // Of its own, as each process has: of two with one id the broker keeps the later.
    clientId: `platform-${randomUUID()}`,
    receiveMaximum: 10,
    ...MQTT_USER,
  }
  const dynamicSecurity = new DynamicSecurity({ plan, isStoreThere: () => fleet.database.ping(), random: Math.random, log })
  dynamicSecurity.start()
  t.after(() => dynamicSecurity.close(300))
  const keeper = new AccountKeeper({
    database: fleet.database,
    dynamicSecurity,
    sealer,
    topicPrefix: 'fleet',
    now: () => fleet.clock.now,
    log,
  })
  const settle = async () => {
    await until('the broker is connected', () => dynamicSecurity.trouble === undefined)
    await until('nothing waits', async () => {
      // What a slow broker has not answered in time is tried again later, by this clock.
      fleet.clock.now = new Date(fleet.clock.now.getTime() + 1_000)
      return (await keeper.round()) > 0 && keeper.waitingCount === 0
    })
  }
  return { keeper, dynamicSecurity, settle }
}

async function openBench(t: TestContext): Promise<Bench> {
  const fleet = await openFleetApp({ after: (close) => void t.after(close) }, ['acme'], { brokerAccounts: createBrokerAccounts(sealer) })
  const broker = await startMosquittoWith(t, dynamicSecurityIn)
  return { broker, fleet, ...(await openKeeper(t, broker, fleet)) }
}

type Registered = { device_id: string; mqtt_username: string; mqtt_password: string }

async function register({ fleet }: Pick<Bench, 'fleet'>): Promise<Registered> {
  return (await fleet.as('acme')('POST', '/devices', { name: 'Truck' })).body
}

async function signIn(t: TestContext, broker: Broker, device: Registered, clientId = device.device_id): Promise<MqttClient> {
  const account = { clientId, username: device.mqtt_username, password: device.mqtt_password }
  const client = await connectAsync(broker.url, { ...account, protocolVersion: 5, reconnectPeriod: 0 })
  client.on('error', () => undefined)
  t.after(() => client.endAsync(true))
  return client
}

async function isRefused(t: TestContext, broker: Broker, device: Registered): Promise<boolean> {
  return await signIn(t, broker, device).then(
    () => false,
    (error: { code?: unknown }) => error.code === 135,
  )
}

test('a device that is registered comes in and uses its own topics only', options, async (t) => {
  const bench = await openBench(t)
  const [device, other] = [await register(bench), await register(bench)]
  assert.ok(await isRefused(t, bench.broker, device), 'not yet')
  await bench.settle()
  await assert.rejects(signIn(t, bench.broker, device, other.device_id), { code: 135 }, 'under the client id of another')
  const client = await signIn(t, bench.broker, device)
  const topic = (of: Registered, last: string) => `fleet/acme/devices/${of.device_id}/${last}`
  await client.publishAsync(topic(device, 'telemetry'), '{}', { qos: 1 })
  await client.subscribeAsync([topic(device, 'errors'), topic(device, 'commands')])
  for (const foreign of [topic(other, 'telemetry'), topic(device, 'errors'), '$CONTROL/dynamic-security/v1']) {
    await assert.rejects(client.publishAsync(foreign, '{}', { qos: 1 }), { code: 135 }, foreign)
  }
  for (const foreign of ['#', topic(other, 'errors'), 'fleet/+/devices/+/telemetry', '$share/g/#']) {
    await assert.rejects(client.subscribeAsync(foreign), Error, foreign)
  }
  assert.ok(await isRefused(t, bench.broker, { ...device, mqtt_password: other.mqtt_password }))
})

test('a new password, a suspension and a decommission act on the session that is open', options, async (t) => {
  const bench = await openBench(t)
  const { broker, fleet } = bench
  const call = fleet.as('acme')
  const device = await register(bench)
  await bench.settle()
  const endsWith = async (client: MqttClient, change: Promise<unknown>) => {
    const closed = new Promise<void>((resolve) => client.once('close', resolve))
    await change
    await bench.settle()
    await closed
  }
  const path = `/devices/${device.device_id}`
  await endsWith(
    await signIn(t, broker, device),
    call('POST', `${path}/credentials/rotate`, { grace_seconds: 0 }).then(({ body }) => Object.assign(device, body)),
  )
  const client = await signIn(t, broker, device)
  await endsWith(client, call('PUT', path, { status: 'suspended' }))
  assert.ok(await isRefused(t, broker, device))
  await call('PUT', path, { status: 'active' })
  await bench.settle()
  await endsWith(await signIn(t, broker, device), call('POST', `${path}/decommission`))
  assert.ok(await isRefused(t, broker, device))
  assert.deepEqual([...(await bench.dynamicSecurity.listClients())], [MQTT_USER.username])
})

test(
  'what changes while the broker is away is done when it is back, by another process, and no password lies open meanwhile',
  options,
  async (t) => {
    const bench = await openBench(t)
    const { broker, fleet } = bench
    const [kept, gone] = [await register(bench), await register(bench)]
    await bench.settle()
    await broker.kill()
    await until('it is noticed', () => bench.dynamicSecurity.trouble !== undefined)
    const fresh = await register(bench)
    const rotated = (await fleet.as('acme')('POST', `/devices/${kept.device_id}/credentials/rotate`)).body
    await fleet.as('acme')('POST', `/devices/${kept.device_id}/credentials/rotate`)
    const last = (await fleet.as('acme')('POST', `/devices/${kept.device_id}/credentials/rotate`)).body
    await fleet.as('acme')('POST', `/devices/${gone.device_id}/decommission`)
    await bench.keeper.round()
    assert.equal(bench.keeper.waitingCount, 3, 'the newest change of each device')
    assert.match((await bench.keeper.checkReadiness()).detail, /^3 changes wait for the broker: no connection/)
    const [row] = await fleet.query('select string_agg(c::text, chr(10)) as text from broker_account_changes c')
    assert.ok(!String(row?.['text']).includes(Buffer.from(fresh.mqtt_password).toString('hex')))

    const next = await openKeeper(t, broker, fleet)
    await broker.start()
    await next.settle()
    await signIn(t, broker, fresh)
    await signIn(t, broker, { ...kept, ...last })
    assert.ok(await isRefused(t, broker, { ...kept, ...rotated }))
    assert.ok(await isRefused(t, broker, gone))
    assert.deepEqual(await fleet.query('select * from broker_account_changes'), [])
  },
)

test('a change that was applied by a process that died before it could record that is applied again', options, async (t) => {
  const bench = await openBench(t)
  const device = await register(bench)
  const rows = await bench.fleet.query('select * from broker_account_changes')
  await bench.settle()
  const [row = {}] = rows
  const columns = Object.keys(row)
  await bench.fleet.query(
    `insert into broker_account_changes (${columns}) values (${columns.map((_, at) => `$${at + 1}`)})`,
    ...Object.values(row),
  )
  await bench.settle()
  await signIn(t, bench.broker, device)
})

test('with each connection accounts that outlived their device go, and devices without one are counted', options, async (t) => {
  const bench = await openBench(t)
  const { fleet, broker } = bench
  const [gone, bare] = [await register(bench), await register(bench)]
  await bench.settle()
  await fleet.as('acme')('POST', `/devices/${gone.device_id}/decommission`)
  await fleet.query('delete from broker_account_changes')
  await bench.dynamicSecurity.send([
    { command: 'deleteClient', username: bare.mqtt_username },
    { command: 'createClient', username: 'somebody', password: 'else' },
    { command: 'createClient', username: 'elsewhere/dev-unknown00001', password: 'else' },
  ])
  const next = await openKeeper(t, broker, fleet)
  await next.settle()
  assert.equal(next.keeper.missingCount, 1)
  const names = await next.dynamicSecurity.listClients()
  assert.deepEqual([...names].sort(), ['elsewhere/dev-unknown00001', MQTT_USER.username, 'somebody'])
})

test('a configuration that was exported lets the platform and the devices in', options, async (t) => {
  const fleet = await openFleetApp({ after: (close) => void t.after(close) }, ['acme'])
  const device = await register({ fleet })
  const accounts: DeviceAccount[] = []
  for await (const { passwordHash = '', ...login } of allBrokerLogins(fleet.database)) accounts.push({ ...login, passwordHash })
  const platform = { username: MQTT_USER.username, passwordHash: await createMosquittoHash(MQTT_USER.password) }
  const broker = await startMosquittoWith(t, (folder) => {
    const path = join(folder, 'exported.json')
    writeFileSync(path, JSON.stringify(dynamicSecurityConfiguration('fleet', platform, accounts)), { mode: 0o600 })
    return dynamicSecurityFrom(path)
  })
  const { keeper, settle } = await openKeeper(t, broker, fleet)
  await settle()
  assert.equal(keeper.missingCount, 0)
  const client = await signIn(t, broker, device)
  await client.publishAsync(`fleet/acme/devices/${device.device_id}/telemetry`, '{}', { qos: 1 })
  await assert.rejects(client.publishAsync('fleet/acme/devices/dev-other00000001/telemetry', '{}', { qos: 1 }), { code: 135 })
})

test('an account is let in under its device id only, whether it is made, was there without one, or is changed once more meanwhile', async (t) => {
  const fleet = await openFleetApp({ after: (close) => void t.after(close) }, ['acme'], { brokerAccounts: createBrokerAccounts(sealer) })
  const device = await register({ fleet })
  const accounts = new Map<string, Command>()
  let meanwhile: () => Promise<unknown> = async () => undefined
  const dynamicSecurity = {
    trouble: undefined,
    connectionCount: 0,
    listClients: async () => new Set(accounts.keys()),
    send: async (commands: readonly Command[]) => {
      const run = meanwhile
      meanwhile = async () => undefined
      await run()
      return commands.map((each) => {
        const { command, username = '' } = each
        const known = accounts.get(String(username))
        if (command === 'createClient' && known !== undefined) return { command, error: 'Client already exists' }
        if (command.endsWith('Client') || command.endsWith('Password')) accounts.set(String(username), { ...known, ...each })
        return { command }
      })
    },
  }
  const keeper = new AccountKeeper({
    database: fleet.database,
    dynamicSecurity,
    sealer,
    topicPrefix: 'fleet',
    now: () => fleet.clock.now,
    log,
  })
  const account = () => accounts.get(device.mqtt_username)
  await keeper.round()
  assert.deepEqual([account()?.clientid, account()?.password], [device.device_id, device.mqtt_password])
  // Made by an earlier version, which let it in under any.
  accounts.set(device.mqtt_username, { command: 'createClient', username: device.mqtt_username })
  const rotate = async () => (await fleet.as('acme')('POST', `/devices/${device.device_id}/credentials/rotate`)).body as Registered
  await rotate()
  let last: Registered | undefined
  meanwhile = async () => {
    last = await rotate()
  }
  await keeper.round()
  assert.deepEqual([account()?.clientid, keeper.waitingCount], [device.device_id, 1], 'what was changed meanwhile waits')
  await keeper.round()
  assert.deepEqual([account()?.password, keeper.waitingCount], [last?.mqtt_password, 0])
})

test('no transaction is open while the broker is asked, and two processes never have the same change in hand', async (t) => {
  const fleet = await openFleetApp({ after: (close) => void t.after(close) }, ['acme'], { brokerAccounts: createBrokerAccounts(sealer) })
  const devices = [await register({ fleet }), await register({ fleet }), await register({ fleet })]
  let openCount = 0
  const asked: string[] = []
  let meanwhile: () => Promise<unknown> = async () => undefined
  const dynamicSecurity = {
    trouble: undefined,
    connectionCount: 0,
    listClients: async () => new Set<string>(),
    send: async (commands: readonly Command[]) => {
      const { rows } = await fleet.database.systemPool.query<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
      )
      openCount += rows[0]?.n ?? 0
      for (const { command, username } of commands) if (command === 'createClient') asked.push(String(username))
      const run = meanwhile
      meanwhile = async () => undefined
      await run()
      return commands.map(({ command }) => ({ command }))
    },
  }
  const keeperOf = () =>
    new AccountKeeper({ database: fleet.database, dynamicSecurity, sealer, topicPrefix: 'fleet', now: () => fleet.clock.now, log })
  const [one, other] = [keeperOf(), keeperOf()]
  meanwhile = () => other.round()
  await one.round()
  assert.equal(openCount, 0)
  assert.deepEqual(asked.sort(), devices.map((each) => each.mqtt_username).sort())
  assert.equal(one.waitingCount, 0)
})
