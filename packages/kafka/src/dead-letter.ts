// What is set aside: the original, byte for byte, with the reason and where it came from in headers beside those it had.
import type { KafkaMessage, Outgoing } from './kafka-client.ts'
import { hasApiId } from './kafka-error.ts'
import type { Poison } from './read-message.ts'

const PREFIX = 'dead-letter-'
/** A longer key is no name of a vehicle, and may be what was too large. So may headers. */
const MAX_KEPT_BYTES = 1024

export function toDeadLetter(message: KafkaMessage, poison: Poison, { topic, nowMs }: { topic: string; nowMs: number }): Outgoing {
  // One that was set aside before and sent again has the reason of its latest time.
  const headers = new Map<Buffer, Buffer>([...message.headers].filter(([name]) => !isOurs(name)))
  const add = (name: string, value: string) => headers.set(Buffer.from(`${PREFIX}${name}`), Buffer.from(value))
  add('code', poison.code)
  add('reason', poison.reason)
  add('topic', message.topic)
  add('partition', String(message.partition))
  add('offset', String(message.offset))
  add('at', new Date(nowMs).toISOString())
  return { topic, headers, ...optional(message) }
}

/** Sends one; without its content where the broker takes less on the topic of dead letters than it took on the first. */
export async function sendDeadLetter(send: (messages: Outgoing[]) => Promise<void>, letter: Outgoing): Promise<void> {
  try {
    await send([letter])
  } catch (error) {
    if (!hasApiId(error, 'MESSAGE_TOO_LARGE')) throw error
    await send([withoutContent(letter)])
  }
}

/** Where the original is found. */
function withoutContent(letter: Outgoing): Outgoing {
  const { topic, key, headers } = letter
  const kept = key !== undefined && key.length <= MAX_KEPT_BYTES ? { key } : {}
  return {
    topic,
    ...kept,
    headers: new Map<Buffer, Buffer>([...keptHeaders(headers), [Buffer.from(`${PREFIX}content`), Buffer.from('too_large')]]),
  }
}

/** Those that report why and where from; those that the message had, unless they are long. */
function keptHeaders(headers: ReadonlyMap<Buffer, Buffer> = new Map()): (readonly [Buffer, Buffer])[] {
  const others = [...headers].filter(([name]) => !isOurs(name))
  const otherBytes = others.reduce((sum, [name, content]) => sum + name.length + content.length, 0)
  return [...headers].filter(([name]) => otherBytes <= MAX_KEPT_BYTES || isOurs(name))
}

function isOurs(name: Buffer): boolean {
  return name.toString().startsWith(PREFIX)
}

/** A key or a value that is not there is `null` or `undefined` on the way in, and left out on the way out. */
function optional({ key, value }: { key?: Buffer | null; value?: Buffer | null }): { key?: Buffer; value?: Buffer } {
  return { ...(key === null || key === undefined ? {} : { key }), ...(value === null || value === undefined ? {} : { value }) }
}
