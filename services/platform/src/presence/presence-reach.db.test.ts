// Goal: while a node of a cluster is away, devices of the others come online, and those of the node when it is back. Method: the node is taken for one that is away. On
// a real cluster by `npm run test:citus`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectNodeShardsAcrossResellers } from '../cluster/reach.sql.ts'
import { Reach } from '../cluster/reach.ts'
import { onACluster } from '../test-support.ts'
import { publishPresence } from './publish-presence.ts'
import { limits, openPresenceBench } from './test-bench.ts'

const DEVICES = 12

test('devices of the nodes that can be reached come online and go offline, the others when all can be', onACluster, async (t) => {
  const bench = await openPresenceBench(t)
  const { database, clock } = bench
  const [first, second] = (await selectNodeShardsAcrossResellers(database.systemPool)) ?? []
  assert.ok(first !== undefined && second !== undefined)
  const reach = new Reach([first], [second])
  const deviceIds: string[] = []
  for (let nth = 0; nth < DEVICES; nth++) {
    const deviceId = await bench.register()
    await bench.report(deviceId)
    deviceIds.push(deviceId)
  }
  const within = deviceIds.filter((deviceId) => reach.hasSource(deviceId))
  assert.ok(within.length > 0 && within.length < DEVICES)
  const publish = async (of?: Reach) => await publishPresence({ database, limits, reach: of }, true, clock.now)
  /** Those that changed so many times. */
  const changed = async (times: number) => {
    const published = await Promise.all(deviceIds.map(async (deviceId) => (await bench.reasons(deviceId)).length))
    return deviceIds.filter((_deviceId, nth) => published[nth] === times)
  }
  const wait = (ms: number) => {
    clock.now = new Date(clock.now.getTime() + ms)
  }
  await publish(reach)
  assert.deepEqual(await changed(1), within)
  await publish(reach)
  assert.deepEqual(await changed(1), within)
  wait(10_000)
  await publish()
  assert.deepEqual(await changed(1), deviceIds)
  // Then all fall silent.
  wait(limits.offlineAfterMs + 1)
  await publish(reach)
  assert.deepEqual(await changed(2), within)
  wait(10_000)
  await publish()
  assert.deepEqual(await changed(2), deviceIds)
})
