import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { createGunzip } from 'node:zlib'
import { compressStream } from './compress-stream.ts'

/** A message takes a few milliseconds. */
const MAX_WAIT_MS = 120_000
const idOf = (vehicle: number) => `veh-${String(vehicle * 7_919).padStart(20, 'x')}`
/** What a fleet of 24 reports in one round. */
const messageOf = (round: number) => {
  const vehicles = Array.from({ length: 24 }, (_, i) => ({
    id: idOf(i),
    healthScore: 91.5,
    online: true,
    location: { speed: (round * i) % 90 },
  }))
  return `event: vehicles\ndata: ${JSON.stringify({ vehicles })}\n\n`
}

test('each message can be read when it is sent, and what is repeated takes a fraction', async () => {
  const source = new Readable({ read: () => undefined, encoding: 'utf8' })
  const compressed = compressStream(source)
  let [sent, received] = [0, '']
  compressed.on('data', (bytes: Buffer) => {
    sent += bytes.length
  })
  const reader = compressed.pipe(createGunzip()).setEncoding('utf8')
  reader.on('data', (text: string) => {
    received += text
  })
  let given = ''
  for (let round = 0; round < 20; round++) {
    given += messageOf(round)
    source.push(messageOf(round))
    // Nothing else is sent until it is there, as on a quiet stream. A message that is held back would be waited for in vain.
    while (received.length < given.length) await once(reader, 'data', { signal: AbortSignal.timeout(MAX_WAIT_MS) })
  }
  assert.equal(received, given)
  assert.ok(sent * 4 < given.length, `${sent} bytes for ${given.length}`)
  source.push(null)
  await once(reader, 'end')
})

test('a reader that leaves ends the source', async () => {
  const source = new Readable({ read: () => undefined })
  const compressed = compressStream(source).resume()
  source.push('event: ready\n\n')
  await once(compressed, 'data')
  const { promise, resolve } = Promise.withResolvers<void>()
  source.once('close', resolve)
  compressed.destroy()
  await promise
  assert.equal(source.destroyed, true)
})
