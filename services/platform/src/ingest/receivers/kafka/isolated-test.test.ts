// Goal: a reseller reaches nothing in the operator's network by what it names as its brokers. Method: the thread that talks with brokers, and a
// server on loopback that nobody may connect to.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { runIsolatedTest } from './isolated-test.ts'

test('the test of a connection does not connect to an address that is not allowed, and names the step that failed', async (t) => {
  let connectionCount = 0
  const inside = createServer((socket) => {
    connectionCount++
    socket.destroy()
  })
  inside.listen(0, '127.0.0.1')
  await once(inside, 'listening')
  t.after(() => inside.close())
  const { port } = inside.address() as AddressInfo
  const at = new Date('2026-11-20T12:00:00.000Z')
  const stepsAt = async (allowCidrs: string) => {
    const deps = { judgeSample: () => assert.fail('nothing is read'), allowCidrs, log: createLogger('silent') }
    const connection = {
      ...{ resellerId: 'acme', revision: 'rev-1', enabled: true, brokers: [`127.0.0.1:${port}`], topic: 't', groupId: 'g' },
      ...{ startAt: 'earliest' as const, tls: undefined, sasl: undefined, createdAt: at, updatedAt: at },
    }
    const { steps } = await runIsolatedTest(deps, connection, { password: undefined, key: undefined })
    return steps.find(({ status }) => status === 'failed')
  }
  const refused = await stepsAt('')
  assert.deepEqual([refused?.step, connectionCount], ['name', 0], JSON.stringify(refused))
  await stepsAt('127.0.0.0/8')
  assert.ok(connectionCount > 0)
})
