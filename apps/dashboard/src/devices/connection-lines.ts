// Ready-made lines with the credentials of a device.

import type { DeviceRegistered } from '@roadworthy/contracts/platform-v1/devices'

export type Credentials = Pick<DeviceRegistered, 'id' | 'mqttBroker' | 'mqttUsername' | 'mqttPassword' | 'mqttTopic'>

/** The port that IANA registered for MQTT over TLS. */
const TLS_PORT = '8883'
const SAMPLE = { speed: 42, rpm: 1800, coolant_temp: 88, battery_voltage: 13.9 }

/** Of `<host>:<port>`, where the host may be an IPv6 address in brackets. */
export function brokerParts(mqttBroker: string): { host: string; port: string; isTls: boolean } {
  const colon = mqttBroker.lastIndexOf(':')
  const port = mqttBroker.slice(colon + 1)
  return { host: mqttBroker.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port, isTls: port === TLS_PORT }
}

/** All in one address, for the QR code: the app or the workshop’s tool reads host, user, password and topic from it. */
export function connectionUrl({ mqttBroker, mqttUsername, mqttPassword, mqttTopic }: Credentials): string {
  const { isTls } = brokerParts(mqttBroker)
  const user = `${encodeURIComponent(mqttUsername)}:${encodeURIComponent(mqttPassword)}`
  return `${isTls ? 'mqtts' : 'mqtt'}://${user}@${mqttBroker}/${mqttTopic}`
}

/** The client id is the device’s, as the service’s own broker asks of external ones too. */
export function mosquittoLine({ id, mqttBroker, mqttUsername, mqttPassword, mqttTopic }: Credentials): string {
  const { host, port, isTls } = brokerParts(mqttBroker)
  const tls = isTls ? ' --tls-use-os-certs' : ''
  const login = `-i ${quoted(id)} -u ${quoted(mqttUsername)} -P ${quoted(mqttPassword)}`
  return `mosquitto_pub -h ${quoted(host)} -p ${port}${tls} ${login} -t ${quoted(mqttTopic)} -q 1 -m ${quoted(JSON.stringify(SAMPLE))}`
}

/** Over HTTPS a device sends with a key that may send telemetry; it stands in `KEY`, so that no history of a shell keeps it. */
export function curlLine({ id }: Pick<Credentials, 'id'>, origin: string): string {
  const body = quoted(JSON.stringify({ device_id: id, ...SAMPLE }))
  return `curl -X POST ${quoted(`${origin}/api/external/telemetry`)} -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d ${body}`
}

/** For a header file. */
export function firmwareLines({ id, mqttBroker, mqttUsername, mqttPassword, mqttTopic }: Credentials): string {
  const { host, port, isTls } = brokerParts(mqttBroker)
  const texts = { HOST: host, CLIENT_ID: id, USERNAME: mqttUsername, PASSWORD: mqttPassword, TOPIC: mqttTopic }
  const defines = Object.entries(texts).map(([name, value]) => `#define MQTT_${name} ${JSON.stringify(value)}`)
  return [...defines, `#define MQTT_PORT ${port}`, `#define MQTT_TLS ${isTls ? 1 : 0}`].join('\n')
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
