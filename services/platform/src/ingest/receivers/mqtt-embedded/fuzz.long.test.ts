import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzReceiver } from './test-fuzz.ts'
import { publishPacket, RawClient, startReceiver, until } from './test-mqtt-receiver.ts'

test('30,000 mutated packets crash nothing, leave no session behind, and the receiver serves on', async (t) => {
  const { port, receiver } = await startReceiver(t, { limits: { maxFailedSignIns: 0 } })
  const seed = Number(process.env['ROADWORTHY_FUZZ_SEED'] ?? 1)
  t.diagnostic(`seed ${seed}`)
  await fuzzReceiver(port, seed, 30_000)
  await until(() => receiver.connectedCount === 0, 'all fuzzed sessions are gone')
  const device = await RawClient.signIn(port)
  device.send(publishPacket(1, { speed: 61 }))
  await device.next('puback')
  assert.equal(receiver.connectedCount, 1)
})
