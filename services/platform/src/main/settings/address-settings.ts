// Addresses among the settings: those that have no form of an address are reported by name, at the start and not where they are first used.

import type { SettingProblem } from '@roadworthy/service-kit/process/settings'

type AddressSettings = {
  readonly baseUrl?: string | undefined
  readonly engineUrl?: string | undefined
  readonly mqttBrokerUrl?: string | undefined
  readonly historyS3Url?: string | undefined
}
/** Their user and password are part of them. */
type SecretAddresses = {
  readonly databaseUrl: string | undefined
  readonly databaseSessionUrl: string | undefined
  readonly smtpUrl: string | undefined
}
type ServedAt = { readonly baseUrl?: string | undefined; readonly host: string }

export function findAddressProblems(settings: AddressSettings, secrets: SecretAddresses): SettingProblem[] {
  return [
    ...addressProblem('BASE_URL', settings.baseUrl, '--base-url https://fleet.example.com'),
    ...addressProblem('ENGINE_URL', settings.engineUrl, '--engine-url http://engine:8090'),
    ...addressProblem('MQTT_BROKER_URL', settings.mqttBrokerUrl, '--mqtt-broker-url mqtts://mqtt.example.com:8883'),
    ...addressProblem('HISTORY_S3_URL', settings.historyS3Url, '--history-s3-url https://s3.example.com'),
    ...secretAddressProblem('DATABASE_URL', secrets.databaseUrl),
    ...secretAddressProblem('DATABASE_SESSION_URL', secrets.databaseSessionUrl),
    ...secretAddressProblem('SMTP_URL', secrets.smtpUrl),
  ]
}

function secretAddressProblem(name: string, text: string | undefined): SettingProblem[] {
  if (text === undefined || URL.canParse(text)) return []
  const fix =
    'it cannot be read as an address. In a user and a password write special characters percent-encoded, # as %23 and / as %2F; a port is at most 65535.'
  return [{ name, value: '(hidden)', source: 'settings', fix }]
}

function addressProblem(name: string, text: string | undefined, example: string): SettingProblem[] {
  if (text === undefined || isPlainAddress(text)) return []
  // What stands before an @ may be a password.
  const value = text.includes('@') ? '(hidden)' : text
  return [
    { name, value, source: 'settings', fix: `it must be a whole address, without a user, a query or a fragment. For example ${example}.` },
  ]
}

function isPlainAddress(text: string): boolean {
  const url = URL.parse(text)
  // A query or a fragment may be an empty one.
  return url !== null && url.username === '' && url.password === '' && !/[?#]/.test(text)
}

/** Paths are put behind it. */
export function withoutLastSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

/** The address under which people and programs find this instance, whatever host a request names. */
export function baseUrlOf(settings: ServedAt, httpPort: number): string {
  return settings.baseUrl ?? urlOfHost(isEveryAddress(settings.host) ? 'localhost' : settings.host, httpPort)
}

/** Of a process that listens there, for one on the same machine. */
export function localUrlOf(host: string, port: number): string {
  return urlOfHost(isEveryAddress(host) ? '127.0.0.1' : host, port)
}

type OwnPorts = { readonly http: number; readonly mqtt: number | undefined; readonly mqttTls: number | undefined }

/** Of a process itself, for who looks at its output: BASE_URL may lead to others. */
export function ownAddressesOf(host: string, { http, mqtt, mqttTls }: OwnPorts): string {
  const name = isEveryAddress(host) ? 'localhost' : host
  return Object.entries({ http, mqtt, mqtts: mqttTls })
    .flatMap(([scheme, port]) => (port === undefined ? [] : [`${scheme}://${hostAndPort({ host: name, port })}`]))
    .join('  ')
}

export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** As it stands in an address: one of IPv6 in brackets. */
export function hostAndPort({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

function urlOfHost(host: string, port: number): string {
  return `http://${hostAndPort({ host, port })}`
}
