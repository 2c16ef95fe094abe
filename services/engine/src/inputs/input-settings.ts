// The settings of the inputs beside REST, and what they come to. Everything that can be wrong without asking a broker is reported at start.
import { isIP } from 'node:net'
import { saslMechanisms } from '@roadworthy/contracts/stream/sasl-mechanisms'
import type { KafkaConnection } from '@roadworthy/kafka/kafka-client'
import { isBrokerAddress, KAFKA_TOPIC } from '@roadworthy/kafka/kafka-names'
import type { TlsPems } from '@roadworthy/kafka/tls-pem'
import { type SettingProblem, withSecrets } from '@roadworthy/service-kit/process/settings'
import { type Static, Type } from 'typebox'
import { readTls } from './input-tls.ts'

const MAX_SAFE_VEHICLES = 1_000_000

const text = (description: string, options: { default?: string; defaultText?: string; example?: string } = {}) =>
  Type.String({ minLength: 1, description, ...options })
const optionalText = (description: string, defaultText: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, description, defaultText, example }))
const secret = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, description, secret: true, defaultText: 'none', example: '' }))

export const inputSettings = {
  engineInput: Type.Enum(['rest', 'stream', 'mqtt'], {
    type: 'string',
    default: 'rest',
    description: 'Where telemetry comes from. stream is Kafka, mqtt an MQTT broker; REST goes on beside them.',
  }),
  engineWindowVehicles: Type.Integer({
    minimum: 1,
    maximum: MAX_SAFE_VEHICLES,
    default: 5000,
    description: 'Vehicles whose last 120 readings stream and MQTT keep in memory, about 60 kB each. The longest silent one leaves first.',
  }),
  engineKafkaBrokers: optionalText('Brokers to begin with, by commas. Needed by stream.', 'none', 'kafka-1:9092,kafka-2:9092'),
  engineKafkaTopic: text('Topic of the telemetry.', { default: 'telemetry' }),
  engineKafkaOutputTopic: text('Topic of the predictions; the key is the vehicle id.', { default: 'predictions' }),
  engineKafkaDeadLetterTopic: optionalText(
    'Topic for messages that cannot be read.',
    'ENGINE_KAFKA_TOPIC with .dlq behind it',
    'telemetry.dlq',
  ),
  engineKafkaGroupId: text('Consumer group; engines of one group share the work.', { default: 'roadworthy-engine' }),
  engineKafkaStartAt: Type.Enum(['earliest', 'latest'], {
    type: 'string',
    default: 'earliest',
    description: 'Where a group begins that has committed nothing yet.',
  }),
  engineKafkaTls: Type.Boolean({ default: false, description: 'Speak TLS with the brokers.' }),
  engineKafkaTlsCaFile: optionalText(
    'Certificates of the authorities that sign the brokers, PEM.',
    'those the system trusts',
    '/etc/kafka/ca.pem',
  ),
  engineKafkaTlsCertFile: optionalText('Own certificate, PEM, where the brokers ask for one.', 'none', '/etc/kafka/client.pem'),
  engineKafkaTlsKeyFile: optionalText('Private key of that certificate, PEM.', 'none', '/etc/kafka/client.key'),
  engineKafkaSaslMechanism: Type.Optional(
    Type.Enum([...saslMechanisms], {
      type: 'string',
      description: 'How to sign in to the brokers.',
      defaultText: 'no sign-in',
      example: 'SCRAM-SHA-512',
    }),
  ),
  engineKafkaSaslUsername: optionalText('Name to sign in with.', 'none', 'engine'),
  engineKafkaSaslPassword: secret('Password to sign in with.'),
  engineMqttUrl: optionalText('Broker, mqtt:// or mqtts://. Needed by mqtt.', 'none', 'mqtts://broker.example.com:8883'),
  engineMqttTopic: text('Topic filter of the telemetry; $share/GROUP/FILTER divides it among engines.', { default: 'telemetry/#' }),
  engineMqttOutputPrefix: text('Predictions are published to PREFIX/VEHICLE_ID.', { default: 'predictions' }),
  engineMqttDeadLetterTopic: text('Topic for messages that cannot be read.', { default: 'dead-letters/telemetry' }),
  engineMqttClientId: optionalText(
    'Id under which the broker keeps what is not acknowledged yet. Each engine needs its own, and the same after a restart.',
    'roadworthy-engine- and the host name',
    'engine-1',
  ),
  engineMqttUsername: optionalText('Name to sign in with.', 'none', 'engine'),
  engineMqttPassword: secret('Password to sign in with.'),
  engineMqttTlsCaFile: optionalText(
    'Certificates of the authorities that sign the broker, PEM.',
    'those the system trusts',
    '/etc/mqtt/ca.pem',
  ),
  engineMqttTlsCertFile: optionalText('Own certificate, PEM, where the broker asks for one.', 'none', '/etc/mqtt/client.pem'),
  engineMqttTlsKeyFile: optionalText('Private key of that certificate, PEM.', 'none', '/etc/mqtt/client.key'),
}

const InputSettingsSchema = Type.Object(inputSettings)
export type InputSettings = Static<typeof InputSettingsSchema>
type Secrets = Readonly<Record<string, string | undefined>>

export type KafkaTopics = {
  readonly input: string
  readonly output: string
  readonly deadLetter: string
  readonly groupId: string
  readonly startAt: 'earliest' | 'latest'
}
export type KafkaPlan = {
  readonly kind: 'stream'
  readonly connection: KafkaConnection
  readonly topics: KafkaTopics
  readonly maxVehicles: number
}
export type MqttPlan = {
  readonly kind: 'mqtt'
  readonly url: string
  readonly clientId: string
  readonly username: string | undefined
  /** Not enumerable, as secrets are. */
  readonly password: string | undefined
  readonly tls: TlsPems
  readonly filter: string
  readonly outputPrefix: string
  readonly deadLetterTopic: string
  readonly maxVehicles: number
}
export type InputPlan = { readonly kind: 'rest' } | KafkaPlan | MqttPlan

/** What the settings ask for, or everything that is wrong with them. */
export function planInput(
  settings: InputSettings,
  secrets: Secrets,
  hostName: string,
): { plan: InputPlan } | { problems: SettingProblem[] } {
  const problems: SettingProblem[] = []
  const plan = makePlan(settings, secrets, { hostName, problems })
  return problems.length > 0 ? { problems } : { plan }
}

type Gathering = { readonly hostName: string; readonly problems: SettingProblem[] }

function makePlan(settings: InputSettings, secrets: Secrets, into: Gathering): InputPlan {
  if (settings.engineInput === 'stream') return planKafka(settings, secrets, into)
  if (settings.engineInput === 'mqtt') return planMqtt(settings, secrets, into)
  return { kind: 'rest' }
}

function planKafka(settings: InputSettings, secrets: Secrets, { hostName, problems }: Gathering): KafkaPlan {
  const brokers = (settings.engineKafkaBrokers ?? '').split(',').map((broker) => broker.trim())
  const wrong = brokers.find((broker) => !isBrokerAddress(broker))
  if (wrong !== undefined) {
    const fix = `ENGINE_INPUT=stream needs it, as HOST:PORT, several by commas${wrong === '' ? '' : `; "${wrong}" is not of that form`}.`
    problems.push({ name: 'ENGINE_KAFKA_BROKERS', value: settings.engineKafkaBrokers, source: 'settings', fix })
  }
  const { engineKafkaTopic: input, engineKafkaOutputTopic: output } = settings
  const deadLetter = settings.engineKafkaDeadLetterTopic ?? `${input}.dlq`
  for (const [name, value] of Object.entries({ ENGINE_KAFKA_OUTPUT_TOPIC: output, ENGINE_KAFKA_DEAD_LETTER_TOPIC: deadLetter })) {
    if (value === input) problems.push({ name, value, source: 'settings', fix: 'it must be another topic than ENGINE_KAFKA_TOPIC.' })
  }
  for (const [name, value] of Object.entries({
    ENGINE_KAFKA_TOPIC: input,
    ENGINE_KAFKA_OUTPUT_TOPIC: output,
    ENGINE_KAFKA_DEAD_LETTER_TOPIC: deadLetter,
  })) {
    if (KAFKA_TOPIC.test(value)) continue
    problems.push({ name, value, source: 'settings', fix: 'Kafka takes 1 to 249 letters, digits, dots, hyphens and underscores.' })
  }
  const pems = {
    ca: { name: 'ENGINE_KAFKA_TLS_CA_FILE', path: settings.engineKafkaTlsCaFile },
    cert: { name: 'ENGINE_KAFKA_TLS_CERT_FILE', path: settings.engineKafkaTlsCertFile },
    key: { name: 'ENGINE_KAFKA_TLS_KEY_FILE', path: settings.engineKafkaTlsKeyFile },
  }
  const files = readTls(pems, problems)
  const hasTls = settings.engineKafkaTls || Object.keys(files).length > 0
  const sasl = readSasl(settings, secrets, problems)
  return {
    kind: 'stream',
    maxVehicles: settings.engineWindowVehicles,
    topics: {
      input,
      output,
      deadLetter,
      groupId: settings.engineKafkaGroupId,
      startAt: settings.engineKafkaStartAt === 'latest' ? 'latest' : 'earliest',
    },
    connection: {
      // The client takes no blanks in it.
      clientId: `roadworthy-engine-${hostName}`.replaceAll(/\s/g, '-'),
      bootstrapBrokers: brokers,
      // Clusters behind one address distinguish their brokers by the name; an address is none (RFC 6066 §3).
      ...(hasTls ? { tls: files, tlsServerName: !brokers.some((broker) => isIP(broker.replace(/:\d+$/, '')) !== 0) } : {}),
      ...(sasl === undefined ? {} : { sasl }),
    },
  }
}

function readSasl(settings: InputSettings, secrets: Secrets, problems: SettingProblem[]): KafkaConnection['sasl'] {
  const mechanism = saslMechanisms.find((known) => known === settings.engineKafkaSaslMechanism)
  const { engineKafkaSaslUsername: username } = settings
  const password = secrets['engineKafkaSaslPassword']
  if (mechanism === undefined) {
    if (username !== undefined || password !== undefined) {
      const fix = `it goes with ENGINE_KAFKA_SASL_USERNAME and ENGINE_KAFKA_SASL_PASSWORD: one of ${saslMechanisms.join(', ')}.`
      problems.push({ name: 'ENGINE_KAFKA_SASL_MECHANISM', value: undefined, source: 'settings', fix })
    }
    return undefined
  }
  const needed = (name: string) =>
    problems.push({ name, value: undefined, source: 'settings', fix: 'ENGINE_KAFKA_SASL_MECHANISM is set and needs it.' })
  if (username === undefined) needed('ENGINE_KAFKA_SASL_USERNAME')
  if (password === undefined) needed('ENGINE_KAFKA_SASL_PASSWORD')
  return withSecrets({ mechanism, username: username ?? '' }, { password: password ?? '' })
}

function planMqtt(settings: InputSettings, secrets: Secrets, { hostName, problems }: Gathering): MqttPlan {
  const url = settings.engineMqttUrl ?? ''
  const wrongUrl = whatIsWrongWith(url)
  // Its value is not reported: it may hold a password.
  if (wrongUrl !== undefined) problems.push({ name: 'ENGINE_MQTT_URL', value: undefined, source: 'settings', fix: wrongUrl })
  const { engineMqttUsername: username } = settings
  const password = secrets['engineMqttPassword']
  if (password !== undefined && username === undefined) {
    // MQTT 3.1.1 §3.1.2.9.
    const fix = 'ENGINE_MQTT_PASSWORD is set and needs it.'
    problems.push({ name: 'ENGINE_MQTT_USERNAME', value: undefined, source: 'settings', fix })
  }
  const pems = {
    ca: { name: 'ENGINE_MQTT_TLS_CA_FILE', path: settings.engineMqttTlsCaFile },
    cert: { name: 'ENGINE_MQTT_TLS_CERT_FILE', path: settings.engineMqttTlsCertFile },
    key: { name: 'ENGINE_MQTT_TLS_KEY_FILE', path: settings.engineMqttTlsKeyFile },
  }
  for (const { name, path } of /^(mqtt|ws):/.test(url) ? Object.values(pems) : []) {
    const fix = 'ENGINE_MQTT_URL does not ask for TLS; mqtts:// and wss:// do.'
    if (path !== undefined) problems.push({ name, value: path, source: 'settings', fix })
  }
  const { engineMqttTopic: filter, engineMqttDeadLetterTopic: deadLetterTopic } = settings
  if (!isTopicFilter(filter)) {
    const fix = 'it is no topic filter: + and # stand for whole levels, # for the last only, as in fleet/+/telemetry/#.'
    problems.push({ name: 'ENGINE_MQTT_TOPIC', value: filter, source: 'settings', fix })
  }
  const outputPrefix = settings.engineMqttOutputPrefix.replace(/\/+$/, '')
  for (const [name, value, published] of [
    ['ENGINE_MQTT_OUTPUT_PREFIX', outputPrefix, `${outputPrefix}/vehicle`],
    ['ENGINE_MQTT_DEAD_LETTER_TOPIC', deadLetterTopic, deadLetterTopic],
  ] as const) {
    const refuse = (fix: string) => problems.push({ name, value, source: 'settings', fix })
    if (/[+#]/.test(value)) refuse('it is published to, so it must not hold + or #.')
    else if (matchesFilter(filter, published)) refuse(`what is published there would come back through ENGINE_MQTT_TOPIC "${filter}".`)
  }
  const shown = {
    kind: 'mqtt' as const,
    url,
    clientId: settings.engineMqttClientId ?? `roadworthy-engine-${hostName}`,
    username,
    tls: readTls(pems, problems),
    filter,
    outputPrefix,
    deadLetterTopic,
    maxVehicles: settings.engineWindowVehicles,
  }
  return withSecrets(shown, { password })
}

function whatIsWrongWith(url: string): string | undefined {
  if (!/^(mqtts?|wss?):\/\/[^/]/.test(url) || !URL.canParse(url)) {
    return 'ENGINE_INPUT=mqtt needs it, as mqtt://HOST:PORT or mqtts://HOST:PORT.'
  }
  const { username, password } = new URL(url)
  if (username === '' && password === '') return undefined
  return 'it must not hold a name or a password, which addresses show in logs: they go into ENGINE_MQTT_USERNAME and ENGINE_MQTT_PASSWORD.'
}

/** MQTT 3.1.1 §4.7.1, and §4.8.2 of MQTT 5 for a shared subscription, which brokers take over 3.1.1 too. */
function isTopicFilter(text: string): boolean {
  const shared = /^\$share\/([^/]*)\/(.*)$/s.exec(text)
  if (text.startsWith('$share/') && (shared === null || !/^[^+#]+$/.test(shared[1] ?? ''))) return false
  const filter = shared?.[2] ?? text
  const levels = filter.split('/')
  return filter !== '' && levels.every((level, at) => !/[+#]/.test(level) || level === '+' || (level === '#' && at === levels.length - 1))
}

/** MQTT 3.1.1 §4.7; a shared subscription matches what its filter matches. */
function matchesFilter(filter: string, topic: string): boolean {
  const levels = topic.split('/')
  const wanted = filter.replace(/^\$share\/[^/]*\//, '').split('/')
  const at = wanted.indexOf('#')
  if (at === -1 ? wanted.length !== levels.length : levels.length < at) return false
  return (at === -1 ? wanted : wanted.slice(0, at)).every((level, index) => level === '+' || level === levels[index])
}
