// Dead letters over MQTT 3.1.1, which has no headers: the message goes along as it came, in Base64, and so takes a third more than the broker took of it.
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { MqttClient } from 'mqtt'
import { isTaken } from './mqtt-publish.ts'

export type MqttDeadLetter = { readonly topic: string; readonly code: string; readonly reason: string; readonly at: string }

/** A topic may have 65,535 bytes, and be what was too large. */
const MAX_SHOWN_LENGTH = 256

/** Without the content where the broker does not take it: the messages behind it would never be answered. Waits out a lost connection. */
export async function sendMqttDeadLetter(
  client: MqttClient,
  to: string,
  { letter, content, log }: { letter: MqttDeadLetter; content: Buffer; log: Logger },
): Promise<void> {
  const whole = JSON.stringify({ ...letter, payload_base64: content.toString('base64') })
  if (await isTaken(client, to, whole)) return
  log.warn({ topic: letter.topic, bytes: content.length }, 'the broker closes the connection over a dead letter; its content is left out')
  await client.publishAsync(to, JSON.stringify({ ...letter, topic: shown(letter.topic), content: 'too_large' }), { qos: 1 })
}

function shown(topic: string): string {
  return topic.length <= MAX_SHOWN_LENGTH ? topic : `${topic.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…`
}
