import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from './clock.ts'
import { readText } from './read-lines.ts'
import { defaultPolicy } from './retry-policy.ts'
import { eventMessages, type ServerSentMessage } from './server-sent-events.ts'
import { startTimeLimit } from './time-limit.ts'

async function messagesOf(pieces: readonly string[]): Promise<ServerSentMessage[]> {
  const source = (async function* () {
    yield* pieces
  })()
  return await Array.fromAsync(eventMessages(source))
}

test('messages are read as the standard has it, wherever the text is cut', async () => {
  const text = ': hello\n\nid: 1\nevent: a\ndata: x\ndata:  y\n\ndata\n\ndata: z\nid\nretry: 5\n\nid: 2\n\ndata: cut'
  const expected = [
    { event: 'a', data: 'x\n y', id: '1' },
    { event: 'message', data: '', id: '1' },
    { event: 'message', data: 'z', id: '' },
  ]
  for (const end of ['\n', '\r\n']) {
    const sent = text.replaceAll('\n', end)
    assert.deepEqual(await messagesOf([sent]), expected)
    assert.deepEqual(await messagesOf([...sent]), expected, 'a character at a time')
  }
})

test('a character of several bytes may come in several pieces', async (t) => {
  const bytes = new TextEncoder().encode('Müller 東京')
  const stream = ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte)))
  const limit = startTimeLimit(systemClock, 1000, undefined)
  t.after(() => limit.stop())
  const route = { method: 'GET', path: '/' } as const
  const pieces = await Array.fromAsync(readText(new Response(stream as ReadableStream<Uint8Array>), limit, defaultPolicy, route, String))
  assert.equal(pieces.join(''), 'Müller 東京')
})
