// Settings of an external MQTT broker, and of the address that devices get of whichever broker there is.

import type { SettingProblem } from '@roadworthy/service-kit/process/settings'
import { type Static, type TObject, Type } from 'typebox'
import { isEveryAddress } from './address-settings.ts'

const MAX_PORT = 65_535

/** Part of the platform's settings. */
export const brokerSettings = {
  mqttPublicHost: Type.Optional(
    Type.String({
      pattern: '^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9.])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$',
      description: 'Host name that devices get to connect to, without a scheme and a port.',
      defaultText: 'that of MQTT_BROKER_URL, or HOST where it is one address, or localhost',
      example: 'mqtt.example.com',
    }),
  ),
  mqttPublicPort: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PORT,
      description: 'Port that devices get to connect to.',
      defaultText: 'MQTT_PORT, or the port of MQTT_BROKER_URL',
      example: '8883',
    }),
  ),
  mqttBrokerUrl: Type.Optional(
    Type.String({
      pattern: '^mqtts?://([^/?#@:]+|\\[[0-9a-fA-F:]+\\])(:[0-9]{1,5})?/?$',
      description:
        'An external MQTT broker that devices connect to, mqtt:// or mqtts://. The platform joins it and opens no broker of its own.',
      defaultText: 'a broker of its own on MQTT_PORT',
      example: 'mqtts://mqtt.example.com:8883',
    }),
  ),
  mqttBrokerUsername: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'User that the platform signs in to that broker as.',
      defaultText: 'none',
      example: 'roadworthy',
    }),
  ),
  mqttBrokerPassword: Type.Optional(
    Type.String({ minLength: 1, secret: true, description: 'Password of that user.', defaultText: 'none', example: '(a secret)' }),
  ),
  mqttBrokerClientId: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description:
        'Client id of this process at that broker, under which the broker keeps what comes while the process is away. Each process needs its own, and the same after a restart.',
      defaultText: 'roadworthy- and the name of this host',
      example: 'roadworthy-1',
    }),
  ),
  mqttBrokerShareGroup: Type.String({
    pattern: '^(none|[A-Za-z0-9_-]{1,64})$',
    default: 'roadworthy',
    description: 'Processes of one group share the messages ($share). none: no sharing, for one process and brokers that cannot share.',
  }),
  mqttBrokerProtocol: Type.Enum(['5', '3.1.1'], { default: '5', description: 'MQTT version that is spoken with that broker.' }),
  mqttBrokerSessionS: Type.Integer({
    minimum: 60,
    maximum: 4_294_967_294,
    default: 604_800,
    description: 'How long that broker keeps messages while this process is away (MQTT 5; before, the broker decides).',
  }),
  mqttBrokerMaxInFlight: Type.Integer({
    minimum: 1,
    maximum: MAX_PORT,
    default: 1_000,
    description: 'Messages taken from that broker and not yet acknowledged.',
  }),
  mqttBrokerCaFile: Type.Optional(
    Type.String({ minLength: 1, description: 'Authority that signed the certificate of that broker, PEM.', defaultText: 'those of Node' }),
  ),
  mqttBrokerCertFile: Type.Optional(
    Type.String({ minLength: 1, description: 'Certificate that the platform shows that broker, PEM.', defaultText: 'none' }),
  ),
  mqttBrokerKeyFile: Type.Optional(
    Type.String({ minLength: 1, description: 'Private key of that certificate, PEM.', defaultText: 'none' }),
  ),
  mqttBrokerDynamicSecurity: Type.Boolean({
    default: false,
    description:
      "Keep the accounts of devices in Mosquitto's dynamic-security plugin at that broker. The user needs to be its administrator.",
  }),
  brokerAuthSecret: Type.Optional(
    Type.String({
      minLength: 32,
      maxLength: 256,
      pattern: '^[A-Za-z0-9_.~-]+$',
      secret: true,
      description: 'Secret with which EMQX or RabbitMQ asks under /broker-auth who may come in. Letters, digits and _.~- only.',
      defaultText: 'nobody may ask',
      example: '(32 characters or more)',
    }),
  ),
}

export type BrokerSettings = Omit<Static<TObject<typeof brokerSettings>>, 'mqttBrokerPassword' | 'brokerAuthSecret'>

type OwnBroker = {
  readonly host: string
  readonly mqttPort: number
  readonly mqttTlsPort: number
  readonly mqttTlsCertFile?: string | undefined
}

/** How devices reach the broker, as it is shown to them. `mqttPort` is that of our own, once it is known. */
export function mqttAddressOf(
  settings: BrokerSettings & OwnBroker,
  mqttPort: number | undefined,
): { scheme: string; host: string; port: number } {
  const broker = settings.mqttBrokerUrl === undefined ? undefined : brokerAddressOf(settings.mqttBrokerUrl)
  const isOwnTlsPort = settings.mqttTlsCertFile !== undefined && settings.mqttPublicPort === settings.mqttTlsPort
  return {
    scheme: (broker?.isSecure ?? isOwnTlsPort) ? 'mqtts' : 'mqtt',
    host: settings.mqttPublicHost ?? broker?.host ?? (isReachedAsLocalhost(settings.host) ? 'localhost' : settings.host),
    port: settings.mqttPublicPort ?? broker?.port ?? mqttPort ?? settings.mqttPort,
  }
}

function isReachedAsLocalhost(host: string): boolean {
  return isEveryAddress(host) || host === '127.0.0.1' || host === '::1'
}

/** Where MQTT_BROKER_URL leads. */
export function brokerAddressOf(url: string): { host: string; port: number; isSecure: boolean } {
  const { protocol, hostname, port: given } = new URL(url)
  const isSecure = protocol === 'mqtts:'
  // Node wants an IPv6 address without its brackets.
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: given === '' ? (isSecure ? 8883 : 1883) : Number(given), isSecure }
}

/** Settings of the external broker that do not go together. */
export function findBrokerContradictions(settings: BrokerSettings, hasPassword: boolean): SettingProblem[] {
  const problems: SettingProblem[] = []
  const refuse = (name: string, fix: string) => problems.push({ name, value: undefined, source: 'settings', fix })
  const { mqttBrokerUrl, mqttBrokerUsername, mqttBrokerCaFile, mqttBrokerCertFile, mqttBrokerKeyFile } = settings
  if (hasPassword && mqttBrokerUsername === undefined) refuse('MQTT_BROKER_USERNAME', 'MQTT_BROKER_PASSWORD needs the user it belongs to.')
  if ((mqttBrokerCertFile === undefined) !== (mqttBrokerKeyFile === undefined)) {
    const isKey = mqttBrokerCertFile === undefined
    const [name, other] = isKey ? ['MQTT_BROKER_CERT_FILE', 'MQTT_BROKER_KEY_FILE'] : ['MQTT_BROKER_KEY_FILE', 'MQTT_BROKER_CERT_FILE']
    refuse(name, `${other} is set: a certificate and its private key go together; set both or neither.`)
  }
  const named = (settings: Readonly<Record<string, unknown>>) => Object.keys(settings).filter((name) => settings[name] !== undefined)
  const files = named({ MQTT_BROKER_CA_FILE: mqttBrokerCaFile, MQTT_BROKER_CERT_FILE: mqttBrokerCertFile })
  const account = named({ MQTT_BROKER_USERNAME: mqttBrokerUsername, MQTT_BROKER_PASSWORD: hasPassword ? true : undefined })
  const ofBroker = [...account, ...files, ...(settings.mqttBrokerDynamicSecurity ? ['MQTT_BROKER_DYNAMIC_SECURITY'] : [])]
  if (mqttBrokerUrl === undefined && ofBroker.length > 0) {
    const fix = 'of an external broker is set, and not where it is. Name it, for example mqtts://mqtt.example.com.'
    refuse('MQTT_BROKER_URL', `${ofBroker.join(', ')} ${fix}`)
  }
  if (mqttBrokerUrl !== undefined && files.length > 0 && !brokerAddressOf(mqttBrokerUrl).isSecure) {
    refuse('MQTT_BROKER_URL', `certificates are for mqtts://. Name that, or take ${files.join(' and ')} away.`)
  }
  return problems
}
