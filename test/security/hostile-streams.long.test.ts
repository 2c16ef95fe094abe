// Goal: as in hostile-streams.test.ts, for every kind of garbage that is known and for a great deal that is not. Method: all of it through the whole
// service, a handful of tenants at a time; then brokers that are honest but for bytes that are changed by chance, of a seed that can be given.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { allGarbage, type Garbage } from '@roadworthy/kafka/testing-garbage'
import { record, recordBatch } from '@roadworthy/kafka/testing-hostile-broker'
import { lastFirst } from '@roadworthy/platform/surfaces/test-api'
import { connectHonest, connectHostile } from '../support/hostile-streams.ts'
import { ok, openService, untilReady } from '../support/service.ts'
import { STREAM_FLAGS, until } from '../support/stream.ts'

const SEED = Number(process.env['ROADWORTHY_FUZZ_SEED'] ?? Date.now() % 2 ** 31)
const ROUNDS = 4
const TENANTS_PER_ROUND = 6
/** Long enough for several attempts. */
const WATCHED_MS = 6_000

const cleanUp = lastFirst({ after })
const service = await openService(cleanUp, { flags: STREAM_FLAGS })
const honest = await connectHonest(cleanUp, service)

/** For a while all of them, and the honest one all the while. */
async function standAll(kinds: readonly Garbage[]): Promise<void> {
  const tenants = await Promise.all(kinds.map((kind) => connectHostile(cleanUp, service, kind)))
  for (const { name, broker } of tenants) await until(`${name} is connected to`, () => broker.connectionCount() > 0)
  await honest.sendOne()
  await sleep(WATCHED_MS)
  await honest.sendOne()
  for (const { tenant } of tenants) {
    assert.equal((await tenant.platform('DELETE', '/stream-connection')).status, 200)
  }
  assert.equal(service.platform.process.exitCode, null)
  assert.doesNotMatch(service.platform.output(), /"level":"fatal"|stream receiver ended/)
}

test('no kind of garbage ends the service or another stream', async () => {
  for (let from = 0; from < allGarbage.length; from += TENANTS_PER_ROUND) await standAll(allGarbage.slice(from, from + TENANTS_PER_ROUND))
  const { rows } = await service.database.systemPool.query('select reason from stream_strikes')
  assert.deepEqual(rows, [], 'all of it is refused before it can end a reader')
})

/** mulberry32: small, and the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Changes some bytes of every answer but for its first eight, of every answer in `oneIn`. */
function corrupting(seed: number): Garbage {
  const random = randomOf(seed)
  const oneIn = 1 + Math.floor(random() * 6)
  return {
    name: `bytes by chance, seed ${seed}`,
    options: (topic) => ({
      topic,
      records: () => recordBatch(record('{"vehicle_id":"truck-1","speed":5}')),
      answer: ({ honest: honestly }) => {
        const answer = honestly()
        if (random() * oneIn >= 1) return answer
        for (let nth = 0; nth < 1 + random() * 8 && answer.length > 8; nth++) {
          answer[8 + Math.floor(random() * (answer.length - 8))] = Math.floor(random() * 256)
        }
        return answer
      },
    }),
  }
}

test(`bytes changed by chance end neither (ROADWORTHY_FUZZ_SEED=${SEED})`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await standAll(Array.from({ length: TENANTS_PER_ROUND }, (_, nth) => corrupting(SEED + round * TENANTS_PER_ROUND + nth)))
  }
})

test('the end of the stream receiver is the end of nothing else, and it comes back by itself', async () => {
  const receiver = receiverOf(service.platform.process.pid ?? assert.fail())
  process.kill(receiver, 'SIGKILL')
  const tenant = await service.newTenant()
  ok(await tenant.external('POST', '/telemetry', { body: { vehicle_id: 'truck-1', speed: 50 } }))
  await untilReady(service)
  await honest.sendOne()
  assert.notEqual(receiverOf(service.platform.process.pid ?? assert.fail()), receiver)
})

/** Its process, among the children of the platform. */
function receiverOf(platformPid: number): number {
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(platformPid)], { encoding: 'utf8' })
  const line = children.split('\n').find((each) => each.includes('stream-receiver.ts'))
  return Number(line?.trim().split(' ')[0] ?? assert.fail(`there is no stream receiver:\n${children}`))
}
