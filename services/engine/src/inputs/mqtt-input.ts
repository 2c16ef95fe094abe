// ENGINE_INPUT=mqtt. A message is acknowledged when the broker has acknowledged its answer, so every message of QoS 1 is answered at least once:
// what was not acknowledged when a connection or a process died is sent again, because the session is kept under the client id.
import { setTimeout as sleep } from 'node:timers/promises'
import { toTlsOptions } from '@roadworthy/kafka/tls-pem'
import { retryDelayMs } from '@roadworthy/service-kit/retry-delay'
import { connect, type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt'
import { type AnswerMessage, createAnswerMessage, type Outcome } from './answer-message.ts'
import type { Input, InputDeps } from './input.ts'
import { createInputMetrics, type InputMetrics } from './input-metrics.ts'
import type { MqttPlan } from './input-settings.ts'
import { tlsSettingBehind } from './input-tls.ts'
import { createVehicleWindows } from './vehicle-windows.ts'

const CONNECT_BOUND_MS = 10_000
const KEEPALIVE_S = 30
const REFUSAL_POLL_MS = 500
/** What a broker answers to a subscription that it does not allow (MQTT-3.9.3). */
const SUBSCRIPTION_REFUSED = 128

/** Begins to connect and returns at once; it goes on trying for as long as it takes. */
export function startMqttInput(plan: MqttPlan, deps: InputDeps): Input {
  const windows = createVehicleWindows(plan.maxVehicles)
  const troubles = new Map<string, string>()
  const trouble = () => troubles.values().next().value
  const metrics = createInputMetrics(deps.registry, { input: 'mqtt', windows, isConnected: () => troubles.size === 0 })
  const answerMessage = createAnswerMessage({ ...deps, windows })
  const stopping = new AbortController()
  const link = { plan, log: deps.log, troubles, metrics, signal: stopping.signal }

  // Two connections: on one, the acknowledgement of an answer would wait behind the message it answers.
  const publisher = openClient(link, 'answers', { clientId: `${plan.clientId}-answers`, clean: true })
  const subscriber = openClient(link, 'telemetry', { clientId: plan.clientId, clean: false, resubscribe: false })
  subscriber.on('connect', () => void subscribe(subscriber, link))

  const work: Work = { ...deps, plan, answerMessage, metrics, publisher, signal: stopping.signal }
  // One after the other, also across a reconnect: a message that comes again waits until its first coming is answered.
  let queue = Promise.resolve()
  subscriber.handleMessage = (packet, acknowledge) => {
    queue = queue
      .then(() => answerPacket(packet, work))
      .then(
        (isAnswered) => {
          if (isAnswered) acknowledge()
        },
        (err: unknown) => deps.log.error({ err }, 'an answer could not be published; its message is not acknowledged'),
      )
  }

  return {
    trouble,
    stop: async () => {
      stopping.abort()
      await queue
      await Promise.all([subscriber.endAsync(), publisher.endAsync()])
    },
  }
}

type Link = {
  readonly plan: MqttPlan
  readonly log: InputDeps['log']
  readonly troubles: Map<string, string>
  readonly metrics: InputMetrics
  readonly signal: AbortSignal
}

function openClient({ plan, log, troubles, metrics, signal }: Link, name: string, own: IClientOptions): MqttClient {
  troubles.set(name, 'The MQTT input is connecting.')
  const { username, password } = plan
  const client = connect(plan.url, {
    ...toTlsOptions(plan.tls),
    ...own,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    // Every broker speaks 3.1.1; Mosquitto, EMQX, HiveMQ and VerneMQ share subscriptions in it too.
    protocolVersion: 4,
    keepalive: KEEPALIVE_S,
    connectTimeout: CONNECT_BOUND_MS,
    reconnectOnConnackError: true,
  })
  let failureCount = 0
  let reason = 'the broker closed the connection'
  client.on('connect', () => {
    failureCount = 0
    reason = 'the broker closed the connection'
    if (name === 'answers') troubles.delete(name)
  })
  client.on('error', (error: Error & { code?: unknown; errors?: Error[] }) => {
    const setting = settingBehind(error.code)
    reason = `${error.message || (error.errors?.[0]?.message ?? String(error.code))}${setting === undefined ? '' : `; see ${setting}`}`
  })
  client.on('close', () => {
    if (signal.aborted) return
    const delayMs = retryDelayMs(++failureCount, Math.random)
    client.options.reconnectPeriod = delayMs
    const trouble = `The MQTT input has no connection to ENGINE_MQTT_URL "${plan.url}" (${name}): ${reason}.`
    troubles.set(name, trouble)
    metrics.countReconnect()
    log.error({ retryInMs: delayMs }, `${trouble} It is tried again; REST is not affected.`)
  })
  return client
}

/** Return codes of CONNACK (MQTT 3.1.1 §3.2.2.3), and the settings they refer to. */
const settingsBehind: Readonly<Record<number, string>> = {
  2: 'ENGINE_MQTT_CLIENT_ID',
  4: 'ENGINE_MQTT_USERNAME and ENGINE_MQTT_PASSWORD',
  5: 'ENGINE_MQTT_USERNAME and ENGINE_MQTT_PASSWORD',
}

function settingBehind(code: unknown): string | undefined {
  return typeof code === 'number' ? settingsBehind[code] : tlsSettingBehind(code, 'ENGINE_MQTT_TLS')
}

async function subscribe(client: MqttClient, { plan, log, troubles }: Link): Promise<void> {
  try {
    const [granted] = await client.subscribeAsync(plan.filter, { qos: 1 })
    if (granted !== undefined && Number(granted.qos) === SUBSCRIPTION_REFUSED) throw new Error('the broker does not allow it')
    troubles.delete('telemetry')
    log.info({ topic: plan.filter }, 'the MQTT input is connected')
  } catch (error) {
    const trouble = `The MQTT input cannot subscribe to ENGINE_MQTT_TOPIC "${plan.filter}": ${(error as Error).message}.`
    troubles.set('telemetry', trouble)
    log.error(trouble)
  }
}

type Work = InputDeps & {
  readonly plan: MqttPlan
  readonly answerMessage: AnswerMessage
  readonly metrics: InputMetrics
  readonly publisher: MqttClient
  readonly signal: AbortSignal
}

/** False when it is stopped first: the message is then not acknowledged and comes again. */
async function answerPacket({ topic, payload }: IPublishPacket, work: Work): Promise<boolean> {
  for (let refusal = work.refusalNow(); refusal !== undefined; refusal = work.refusalNow()) {
    if (work.signal.aborted) return false
    await sleep(REFUSAL_POLL_MS, undefined, { signal: work.signal }).catch(() => undefined)
  }
  if (work.signal.aborted) return false
  const { plan, publisher, nowMs } = work
  const value = typeof payload === 'string' ? Buffer.from(payload) : payload
  const outcome = work.answerMessage({ value, headers: new Map(), receivedAtMs: nowMs() })
  const send = outgoingOf(outcome, { plan, topic, value, nowMs: nowMs() })
  // It waits out a lost connection by itself and is sent again after it.
  if (send !== undefined) await publisher.publishAsync(send.topic, send.payload, { qos: 1 })
  work.metrics.count(outcome)
  return true
}

function outgoingOf(
  outcome: Outcome,
  { plan, topic, value, nowMs }: { plan: MqttPlan; topic: string; value: Buffer; nowMs: number },
): { topic: string; payload: Buffer | string } | undefined {
  switch (outcome.kind) {
    case 'answer':
      return { topic: `${plan.outputPrefix}/${toTopicLevel(outcome.vehicleId)}`, payload: outcome.body }
    case 'poison': {
      const { code, reason } = outcome.poison
      // MQTT 3.1.1 has no headers: the original goes along as it came, in Base64.
      const letter = { topic, code, reason, at: new Date(nowMs).toISOString(), payload_base64: value.toString('base64') }
      return { topic: plan.deadLetterTopic, payload: JSON.stringify(letter) }
    }
    default:
      return undefined
  }
}

/** What would end or open a level of a topic, or match more than one, is percent-encoded; so is the percent sign. */
function toTopicLevel(vehicleId: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not stand in a topic.
  return vehicleId.toWellFormed().replaceAll(/[/+#%\u0000-\u001f\u007f]/g, (character) => encodeURIComponent(character))
}
