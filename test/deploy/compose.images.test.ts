// Goal: who follows docs/guides/deployment.md has an installation by Compose with each profile: it takes readings by REST, MQTT, Kafka and Mosquitto, raises an alert,
// is watched by Prometheus, keeps its data when it is stopped and started again, and can have its readings on nodes of Citus. Method: deploy/compose.yaml as a whole by
// Compose and Podman, with our images and stand-ins for those of others; the blocks of the guide as they stand there. Without a network for containers it skips.

import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import mqtt from 'mqtt'
import { NoBuilder } from '../../tools/setup/build-images.ts'
import { stepsOf } from '../e2e/guide-blocks.ts'
import { type Compose, type Project, startCompose, whyNoCompose } from '../support/compose-project.ts'
import { type BuiltImages, useBuiltImages } from '../support/containers.ts'
import { call, type FirstCredentials } from '../support/running-platform.ts'
import { callerAt, ok, type Row } from '../support/service.ts'
import type { StandIn } from '../support/stand-ins.ts'

const WITHIN_MS = 120_000
const LOOK_EVERY_MS = 500
const COMPOSE = 'docker compose -f deploy/compose.yaml'

let built: BuiltImages | undefined
let compose: Compose | undefined
let whyNot = ''

before(async () => {
  try {
    built = await useBuiltImages()
    whyNot = built.whyNoRuntime ?? (await whyNoCompose(built)) ?? ''
    if (whyNot === '') compose = await startCompose(built)
  } catch (error) {
    if (!(error instanceof NoBuilder)) throw error
    whyNot = error.message
  }
})
after(async () => {
  await compose?.close()
  await built?.remove()
})

/** Skips where something that it needs is missing. */
async function openProject(t: TestContext, needed: readonly StandIn[]): Promise<Project | undefined> {
  const missing = needed.flatMap((name) => compose?.missing[name] ?? [])
  if (compose === undefined || missing.length > 0) t.skip(compose === undefined ? whyNot : `needs ${missing.join(', ')}`)
  return compose === undefined || missing.length > 0 ? undefined : compose.openProject(t)
}

/** The block of the guide with this in it. */
function block(text: string): string {
  const found = stepsOf('deployment.md').filter(({ lines }) => lines.includes(text))
  assert.equal(found.length, 1, text)
  return found[0]?.lines ?? ''
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  let last: unknown
  for (const deadlineMs = Date.now() + WITHIN_MS; Date.now() < deadlineMs; await sleep(LOOK_EVERY_MS)) {
    try {
      const found = await look()
      if (found !== undefined) return found
    } catch (error) {
      last = error
    }
  }
  assert.fail(`${what}: not within ${WITHIN_MS} ms. ${last ?? ''}`)
}

type Registered = Readonly<Record<'device_id' | 'vehicle_id' | 'mqtt_username' | 'mqtt_password' | 'mqtt_topic', string>>
type Installation = {
  ask(method: string, path: string, body?: Row): Promise<Row>
  register(name: string): Promise<Registered>
  sendByRest(device: Registered, values: Row): Promise<void>
  /** By the MQTT broker that the service publishes. */
  sendByMqtt(device: Registered, service: string, values: Row): Promise<void>
  /** Waits until so many of its readings are stored. */
  untilStored(device: Registered, count: number): Promise<unknown>
}

/** As a program of a reseller sees it. Ports of this machine are others after each start. */
async function reach(project: Project, readKey: string): Promise<Installation> {
  const { api_key: key } = JSON.parse(await project.run(readKey)) as FirstCredentials
  const at = async (service: string) => `http://${await project.addressOf(service, 8080)}`
  for (const service of ['api', 'receivers']) {
    await until(`${service} to be ready`, async () => ((await call(await at(service), 'GET', '/readyz')).status === 200 ? true : undefined))
  }
  // As clients should: 503 is not acknowledged. The database has no address for seconds, at times, after other containers have ended (aardvark-dns 1.4).
  const repeat = (service: string, method: string, path: string, body?: Row) =>
    until(`${method} ${path}`, async () => {
      const answer = await call(await at(service), method, path, { key, ...(body === undefined ? {} : { body }) })
      return answer.status === 503 ? undefined : ok<Row>(answer)
    })
  const ask: Installation['ask'] = (method, path, body) => repeat('api', method, path, body)
  return {
    ask,
    register: async (name) =>
      (await ask('POST', '/api/external/devices', { name, vehicle: { mode: 'create', make: 'MAN', model: name } })) as Registered,
    sendByRest: async ({ device_id }, values) => {
      const body = { device_id, timestamp: new Date().toISOString(), sensor_data: values }
      await repeat('receivers', 'POST', '/api/external/telemetry', body)
    },
    sendByMqtt: async (device, service, values) => {
      const { device_id: clientId, mqtt_username: username, mqtt_password: password } = device
      const options = { clientId, username, password, reconnectPeriod: 0 }
      const client = await mqtt.connectAsync(`mqtt://${await project.addressOf(service, 1883)}`, options)
      await client.publishAsync(device.mqtt_topic, JSON.stringify({ timestamp: new Date().toISOString(), ...values }), { qos: 1 })
      await client.endAsync()
    },
    untilStored: ({ vehicle_id }, count) =>
      until(`${count} readings`, async () => {
        const { total } = await ask('GET', `/api/v1/vehicles/${vehicle_id}/readings?limit=1`)
        return total === count ? true : undefined
      }),
  }
}

describe('by Compose', { concurrency: true }, () => {
  test('profile embedded: everything in one container, and Prometheus beside it', async (t) => {
    const project = await openProject(t, ['prometheus'])
    if (project === undefined) return
    await project.run(`${COMPOSE} --profile embedded --profile observability up --detach roadworthy prometheus`)
    const url = `http://${await until('a port', async () => project.addressOf('roadworthy', 8080))}`
    await until('an answer', async () => ((await call(url, 'GET', '/readyz')).status === 200 ? true : undefined))
    assert.match(await (await fetch(url)).text(), /<div id="root">/)
    const { api_key: key } = JSON.parse(await project.run(`${COMPOSE} exec roadworthy cat /data/credentials.json`)) as FirstCredentials
    await until('the demo fleet', async () => {
      const { total } = ok<Row>(await callerAt(`${url}/api/v1`, key)('GET', '/vehicles?limit=1'))
      return Number(total) > 0 ? true : undefined
    })
    await until('Prometheus to reach it', () => reachedByPrometheus(project, 1))
  })

  test('profiles postgres, observability, kafka and mosquitto, as the guide adds them to each other', async (t) => {
    const project = await openProject(t, ['postgres', 'prometheus', 'kafka', 'mosquitto'])
    if (project === undefined) return
    await project.run(block('deploy/secrets'))
    const [up = '', readKey = ''] = block('exec api cat /data/credentials.json').split(/(?<=up --detach)\n/)
    await project.run(up)
    await project.run(`${COMPOSE} --profile observability up --detach prometheus`)
    const first = await reach(project, readKey)
    const device = await first.register('first')
    await first.sendByRest(device, { speed: 60 })
    await first.sendByMqtt(device, 'receivers', { speed: 64, mil_lamp: 'LAMP_ON', dtc_codes: ['P0217'] })
    await first.untilStored(device, 2)
    await until('an alert, by the worker and the engine', async () => {
      const { alerts } = (await first.ask('GET', '/api/v1/alerts')) as { alerts: Row[] }
      return alerts.length > 0 ? true : undefined
    })
    const doctor = block('exec worker node apps/cli/bin/roadworthy.js doctor')
    for (const service of ['worker', 'api', 'receivers']) {
      assert.match(await project.run(doctor.replace('worker', service)), /^ok {6}history/m, service)
    }
    await project.run(`${COMPOSE} --profile postgres exec worker touch /data/history/of-the-worker`)
    for (const service of ['api', 'receivers']) {
      assert.match(await project.run(`${COMPOSE} --profile postgres exec ${service} ls /data/history`), /of-the-worker/)
    }

    await project.run(block('--profile kafka'))
    const second = await reach(project, readKey)
    await second.ask('PUT', '/api/v1/stream-connection', { brokers: ['kafka:9092'], topic: 'telemetry' })
    const message = JSON.stringify({ device_id: device.device_id, timestamp: new Date().toISOString(), speed: 70 })
    const produce = '/opt/kafka/bin/kafka-console-producer.sh --bootstrap-server kafka:9092 --topic telemetry'
    await project.run(`echo '${message}' | ${COMPOSE} --profile kafka exec kafka ${produce}`)
    await second.untilStored(device, 3)
    await until('Prometheus to reach all four', () => reachedByPrometheus(project, 4))

    await project.run(`${COMPOSE} --profile postgres --profile kafka --profile observability down`)
    await project.run(block('--profile mosquitto'))
    const third = await reach(project, readKey)
    await third.sendByMqtt(device, 'mosquitto', { speed: 75 })
    await third.untilStored(device, 4)
    const late = await third.register('late')
    await until('an account at Mosquitto', () => third.sendByMqtt(late, 'mosquitto', { speed: 1 }).then(() => true))
  })

  test('profile citus: readings of a new installation are spread over two nodes', async (t) => {
    const project = await openProject(t, ['citus'])
    if (project === undefined) return
    await project.run(block('deploy/secrets'))
    const lines = block('--env-file deploy/citus/compose.env').trimEnd().split('\n')
    const given = lines.slice(0, 2).join('\n')
    for (const line of lines.slice(2)) {
      // It changes nothing where a node cannot be reached, and is repeated.
      if (line.includes('citus init')) await until(line, () => project.run(`${given}\n${line}`).then(() => true))
      else await project.run(`${given}\n${line}`)
    }
    const installation = await reach(project, block('exec api cat /data/credentials.json').split(/(?<=up --detach)\n/)[1] ?? '')
    for (const name of ['first', 'second', 'third', 'fourth']) {
      const device = await installation.register(name)
      await installation.sendByRest(device, { speed: 60 })
      await installation.untilStored(device, 1)
    }
    const shards = await Promise.all(['citus-1', 'citus-2'].map((node) => shardsAt(project, node)))
    assert.deepEqual(
      shards.map((count) => count > 0),
      [true, true],
      `${shards}`,
    )
  })
})

/** How many shards of readings the node has. */
async function shardsAt(project: Project, node: string): Promise<number> {
  const question = `select count(*) from citus_shards where nodename = '${node}' and table_name::text like 'readings%'`
  const answer = await project.run(`${COMPOSE} --profile postgres exec database psql -U roadworthy -Atc "${question}"`)
  return Number(answer)
}

/** True when so many processes are reached, and none is not. */
async function reachedByPrometheus(project: Project, count: number): Promise<true | undefined> {
  const question = `curl -fsS 'http://localhost:9090/api/v1/query?query=up'`
  const { data } = JSON.parse(await project.run(`${COMPOSE} --profile observability exec prometheus ${question}`)) as Row & {
    data: { result: { value: [number, string] }[] }
  }
  const ups = data.result.map(({ value }) => value[1])
  return ups.length === count && ups.every((each) => each === '1') ? true : undefined
}
