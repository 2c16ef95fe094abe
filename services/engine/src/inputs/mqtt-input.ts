// ENGINE_INPUT=mqtt. A message is acknowledged when the broker has acknowledged its answer, so every message of QoS 1 is answered at least once:
// what was not acknowledged when a connection or a process died is sent again, because the session is kept under the client id.
import { setTimeout as sleep } from 'node:timers/promises'
import { toTlsOptions } from '@roadworthy/kafka/tls-pem'
import { retryDelayMs } from '@roadworthy/service-kit/pacing/retry-delay'
import { connect, type ErrorWithSubackPacket, type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt'
import { type AnswerMessage, createAnswerMessage, type Outcome } from './answer-message.ts'
import type { Input, InputDeps } from './input.ts'
import { createInputMetrics, type InputMetrics } from './input-metrics.ts'
import type { MqttPlan } from './input-settings.ts'
import { tlsSettingBehind } from './input-tls.ts'
import { sendMqttDeadLetter } from './mqtt-dead-letter.ts'
import { isTaken } from './mqtt-publish.ts'
import { createVehicleWindows } from './vehicle-windows.ts'

const CONNECT_BOUND_MS = 10_000
const KEEPALIVE_S = 30
const REFUSAL_POLL_MS = 500
/** What a broker answers to a subscription that it does not allow (MQTT-3.9.3). */
const SUBSCRIPTION_REFUSED = 128

/** Begins to connect and returns at once; it goes on trying for as long as it takes. */
export function startMqttInput(plan: MqttPlan, deps: InputDeps, { keepaliveS = KEEPALIVE_S }: { keepaliveS?: number } = {}): Input {
  const windows = createVehicleWindows(plan.maxVehicles)
  const troubles = new Map<string, string>()
  const trouble = () => troubles.values().next().value
  const metrics = createInputMetrics(deps.registry, { input: 'mqtt', windows, isConnected: () => troubles.size === 0 })
  const answerMessage = createAnswerMessage({ ...deps, windows })
  const stopping = new AbortController()
  const link = { plan, keepaliveS, log: deps.log, troubles, metrics, signal: stopping.signal }

  // Two connections: on one, the acknowledgement of an answer would wait behind the message it answers.
  const publisher = openClient(link, 'answers', { clientId: `${plan.clientId}-answers`, clean: true })
  const subscriber = openClient(link, 'telemetry', { clientId: plan.clientId, clean: false, resubscribe: false })
  subscriber.on('connect', () => void subscribe(subscriber, link))

  const work: Work = { ...deps, plan, answerMessage, metrics, publisher, signal: stopping.signal }
  // One after the other, also across a reconnect: a message that comes again waits until its first coming is answered.
  let queue = Promise.resolve()
  let unanswered = 0
  subscriber.handleMessage = (packet, acknowledge) => {
    unanswered++
    queue = queue
      .then(() => answerPacket(packet, work).finally(() => unanswered--))
      .then(
        (isAnswered) => {
          if (isAnswered) acknowledge()
        },
        (err: unknown) => deps.log.error({ err }, 'an answer could not be published; its message is not acknowledged'),
      )
  }

  // A client reads one packet after the other: while a message waits to be answered, what the broker answers to pings waits behind it, and the
  // connection would be taken for lost.
  const heldUp = setInterval(
    () => {
      if (unanswered === 0 || !subscriber.connected) return
      subscriber.sendPing()
      subscriber.reschedulePing(true)
    },
    (keepaliveS * 1000) / 3,
  )

  return {
    trouble,
    stop: async () => {
      clearInterval(heldUp)
      stopping.abort()
      await queue
      await Promise.all([subscriber.endAsync(), publisher.endAsync()])
    },
  }
}

type Link = {
  readonly plan: MqttPlan
  readonly keepaliveS: number
  readonly log: InputDeps['log']
  readonly troubles: Map<string, string>
  readonly metrics: InputMetrics
  readonly signal: AbortSignal
}

function openClient({ plan, keepaliveS, log, troubles, metrics, signal }: Link, name: string, own: IClientOptions): MqttClient {
  troubles.set(name, 'The MQTT input is connecting.')
  const { username, password } = plan
  const client = connect(plan.url, {
    ...toTlsOptions(plan.tls),
    ...own,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    // Every broker speaks 3.1.1; Mosquitto, EMQX, HiveMQ and VerneMQ share subscriptions in it too.
    protocolVersion: 4,
    keepalive: keepaliveS,
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

/** A broker that refuses it is asked again for as long as the connection lasts: who may read what is changed at the broker, which keeps its clients. */
async function subscribe(client: MqttClient, { plan, log, troubles, signal }: Link): Promise<void> {
  const { stream } = client
  const isThisConnection = () => client.connected && client.stream === stream && !signal.aborted
  for (let failureCount = 0; isThisConnection(); ) {
    try {
      const [granted] = await client.subscribeAsync(plan.filter, { qos: 1 })
      if (Number(granted?.qos) === SUBSCRIPTION_REFUSED) throw new Error(NOT_ALLOWED)
      troubles.delete('telemetry')
      log.info({ topic: plan.filter }, 'the MQTT input is connected')
      return
    } catch (error) {
      // A connection that was lost meanwhile is reported as that.
      if (!isThisConnection()) return
      const delayMs = retryDelayMs(++failureCount, Math.random)
      const trouble = `The MQTT input cannot subscribe to ENGINE_MQTT_TOPIC "${plan.filter}": ${whyRefused(error as Error)}.`
      troubles.set('telemetry', trouble)
      log.error({ retryInMs: delayMs }, `${trouble} It is tried again; REST is not affected.`)
      await sleep(delayMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

const NOT_ALLOWED = 'the broker does not allow it'

/** The client's own words for a return code of 3.1.1 are of MQTT 5. */
function whyRefused(error: Error & Partial<ErrorWithSubackPacket>): string {
  const granted = (error.packet as { granted?: readonly unknown[] } | undefined)?.granted
  return granted?.includes(SUBSCRIPTION_REFUSED) === true ? NOT_ALLOWED : error.message
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
  // Both wait out a lost connection by themselves and are sent again after it.
  const outcome = await sendAnswer(work.answerMessage({ value, headers: new Map(), receivedAtMs: nowMs() }), work)
  if (outcome.kind === 'poison') {
    const { code, reason } = outcome.poison
    const letter = { topic, code, reason, at: new Date(nowMs()).toISOString() }
    await sendMqttDeadLetter(publisher, plan.deadLetterTopic, { letter, content: value, log: work.log })
  }
  work.metrics.count(outcome)
  return true
}

/** What becomes of the message: without an answer it is set aside, as the messages behind it would never be answered. */
async function sendAnswer(outcome: Outcome, { plan, publisher }: Work): Promise<Outcome> {
  if (outcome.kind !== 'answer') return outcome
  const { vehicleId, body } = outcome
  if (await isTaken(publisher, `${plan.outputPrefix}/${toTopicLevel(vehicleId)}`, body)) return outcome
  const reason = `The broker closed the connection over the answer of ${body.length} bytes, as it does over a packet that is too large for it.`
  return { kind: 'poison', poison: { code: 'answer_refused', reason } }
}

/**
 * What would end or open a level of a topic, or match more than one, is percent-encoded; so is the percent sign, and what a broker closes the connection for
 * (MQTT-1.5.3: control characters and non-characters).
 */
function toTopicLevel(vehicleId: string): string {
  return vehicleId.toWellFormed().replaceAll(/[/+#%\p{Control}\p{Noncharacter_Code_Point}]/gu, (character) => encodeURIComponent(character))
}
