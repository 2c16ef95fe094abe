// Goal: what is delayed comes later, whole and in its order, and so does the end.

import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { delaySockets } from './delay-sockets.js'

type Delays = { waitMs: () => number; start?: Parameters<typeof delaySockets>[1] }

/** A connection to a server that answers so. When the test is over, no socket is left whose end the next test would see. */
async function connectTo(t: TestContext, answer: (socket: Socket) => void, { waitMs, start }: Delays): Promise<Socket> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const undo = delaySockets(waitMs, start)
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.after(async () => {
    undo()
    client.destroy()
    server.close()
    await once(server, 'close')
  })
  return client
}

test('what comes in waits, and arrives whole and in order with its end', async (t) => {
  const texts = Array.from({ length: 200 }, (_, i) => `${i},`)
  let waits = 0
  const client = await connectTo(
    t,
    (socket) => {
      for (const text of texts) socket.write(text)
      socket.end()
    },
    { waitMs: () => (waits++ % 2 === 0 ? 5 : 0) },
  )
  const received: string[] = []
  const endsBeforeIts: boolean[] = []
  client.setEncoding('utf8')
  client.on('data', (text: string) => {
    received.push(text)
    endsBeforeIts.push(client.readableEnded)
  })
  await once(client, 'end')
  assert.equal(received.join(''), texts.join(''))
  assert.ok(waits > 1, 'no chunk was asked to wait')
  assert.ok(endsBeforeIts.every((isEnded) => !isEnded))
})

test('a chunk is not there until its wait is over', async (t) => {
  const timers = new EventEmitter<{ started: [() => void, number] }>()
  const started = once(timers, 'started')
  const start = (run: (...args: unknown[]) => void, ms: number, ...args: unknown[]) => timers.emit('started', () => run(...args), ms)
  const client = await connectTo(t, (socket) => socket.end('late'), { waitMs: () => 1_000, start })
  let received = ''
  client.on('data', (chunk) => {
    received += chunk
  })
  const [runTimer, ms] = (await started) as [() => void, number]
  assert.equal(ms, 1_000)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(received, '')
  runTimer()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(received, 'late')
})
