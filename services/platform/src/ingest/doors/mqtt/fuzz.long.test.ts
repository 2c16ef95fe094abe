import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishPacket, RawClient, startDoor, until } from './door-fixture.ts'
import { fuzzDoor } from './fuzz-fixture.ts'

test('100,000 mutated packets crash nothing, leave no session behind, and the door serves on', async (t) => {
  const { port, door } = await startDoor(t, { limits: { maxFailedSignIns: 0 } })
  const seed = Number(process.env['FUZZ_SEED'] ?? 1)
  t.diagnostic(`seed ${seed}`)
  await fuzzDoor(port, seed, 100_000)
  await until(() => door.connectedCount === 0, 'all fuzzed sessions are gone')
  const device = await RawClient.signIn(port)
  device.send(publishPacket(1, { speed: 61 }))
  await device.next('puback')
  assert.equal(door.connectedCount, 1)
})
