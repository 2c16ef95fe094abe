// Goal: a reseller cannot hurt anybody else by the broker it connects to. Method: the whole service, tenants whose brokers are TCP servers of ours
// that send garbage, and beside them a tenant with an honest
// broker and one that sends over REST. All kinds of garbage are in the long test.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { allGarbage } from '@roadworthy/kafka/testing-garbage'
import { lastFirst } from '@roadworthy/platform/surfaces/test-api'
import { connectHonest, connectHostile, untilRefused } from '../support/hostile-streams.ts'
import { ok, openService, type Row, untilReady } from '../support/service.ts'
import { STREAM_FLAGS } from '../support/stream.ts'

const cleanUp = lastFirst({ after })
const service = await openService(cleanUp, { flags: STREAM_FLAGS })

/** What is reported to each: it must be able to find out what is wrong with its broker. */
const reasons: Readonly<Record<string, RegExp>> = {
  'five zero bytes': /length is 0 bytes; it may not be a Kafka broker/,
  'a length of 2 GiB': /length is 2147483647 bytes/,
  'an answer in HTTP': /it answers in HTTP/,
  'names of a negative length': /leads out of it/,
  'brokers at port 70000': /Port should be >= 0 and < 65536/,
  'a bomb in gzip': /inflate to more than 64 MiB/,
}

test('a broker that sends garbage ends neither the service nor the stream of another reseller', async (t) => {
  const honest = await connectHonest(cleanUp, service)
  await honest.sendOne()
  const hostile = await Promise.all(
    Object.keys(reasons).map((kind) => {
      const garbage = allGarbage.find(({ name }) => name === kind) ?? assert.fail(`there is no garbage ${kind}`)
      return connectHostile(cleanUp, service, garbage)
    }),
  )
  for (const each of hostile) assert.match(await untilRefused(each), reasons[each.name] ?? assert.fail(each.name))
  await honest.sendOne()
  const other = await service.newTenant()
  ok(await other.external('POST', '/telemetry', { body: { vehicle_id: 'truck-1', speed: 50 } }))
  const checks = await untilReady(service)
  assert.match(JSON.stringify(checks['streams']), /"[1-9]\d* streams are connected"/)
  assert.doesNotMatch(service.platform.output(), /fatal|left out/)
  t.diagnostic(JSON.stringify(checks['streams']))

  // The test of a connection talks with the same brokers.
  const tested = await Promise.all(hostile.slice(0, 3).map(({ tenant }) => tenant.platform('POST', '/stream-connection/test')))
  for (const [nth, answer] of tested.entries()) {
    const { success, steps } = ok<{ success: boolean; steps: Row[] }>(answer)
    assert.equal(success, false, JSON.stringify(steps))
    assert.match(JSON.stringify(steps), reasons[hostile[nth]?.name ?? ''] ?? assert.fail())
  }
  await honest.sendOne()
})
