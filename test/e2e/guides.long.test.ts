// Goal: an integrator who types what the guides show gets what they describe. Method: the blocks of each guide in their order, by one shell, in the folder
// of an instance that runs; what a guide shows as a file is one.

import assert from 'node:assert/strict'
import { readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '@roadworthy/service-kit/network/free-ports'
import { until } from '../support/until.ts'
import { blocksOf, installPackages, keyOf, runLines } from './guide-blocks.ts'
import { stopReceiver, writeReceiver } from './guide-receiver.ts'
import { type OwnInstance, startOwnInstance } from './own-instance.ts'

const ARRIVES_WITHIN_MS = 180_000

let instance: OwnInstance
let key: string

before(async () => {
  instance = await startOwnInstance(['--webhook-allow-cidrs', '127.0.0.0/8'])
  symlinkSync(instance.dataDir, path.join(instance.folder, '.data'))
  installPackages(instance)
  key = keyOf(instance)
})

after(async () => {
  await instance.stop()
})

async function askFor<Answer>(route: string): Promise<Answer> {
  const answer = await fetch(`${instance.baseUrl}${route}`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(answer.status, 200, await answer.clone().text())
  return (await answer.json()) as Answer
}

test('the first device speaks over REST and MQTT, and a phone is on the map', async () => {
  const output = await runLines(instance, blocksOf('first-device.md', 'sh').join('\n'))
  assert.match(output, /"success":true/)
  // Written a moment after they were answered.
  const recorded = async () => (await askFor<{ messages: unknown[] }>('/api/v1/devices/356938035643817/messages')).messages.length
  await until('both messages are recorded', async () => (await recorded()) === 2)
  type Device = { name: string; lastSeenAt: string | null; vehicle: { licensePlate: string } | null }
  const { devices } = await askFor<{ devices: Device[] }>('/api/v1/devices')
  // The map shows vehicles.
  assert.deepEqual(devices.map(({ name, lastSeenAt, vehicle }) => [name, lastSeenAt !== null, vehicle?.licensePlate]).sort(), [
    ['Phone of Asha', true, 'MS-RW 8'],
    ['Van 7', true, 'MS-RW 7'],
  ])
})

test('a webhook goes from the first endpoint to an event that its receiver verified', async (t) => {
  const port = await findFreePort()
  t.after(() => stopReceiver(instance))
  await runLines(instance, writeReceiver(instance, port))
  const log = path.join(instance.folder, 'received.log')
  for (let waitedMs = 0; !readFileSync(log, 'utf8').includes('webhook.test'); waitedMs += 50) {
    if (waitedMs >= ARRIVES_WITHIN_MS) {
      const { webhooks } = await askFor<{ webhooks: { id: string }[] }>('/api/v1/webhooks')
      assert.fail(JSON.stringify(await askFor(`/api/v1/webhooks/${webhooks[0]?.id}/deliveries`)))
    }
    await sleep(50)
  }
  assert.equal((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).status, 400, 'what is not signed')
})
