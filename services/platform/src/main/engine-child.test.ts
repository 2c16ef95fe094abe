// Goal: the engine of one machine starts also when somebody takes its port between the choice and the start, and a port that was set is never exchanged.
// Method: the real engine, and a port that something listens on.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { findFreePort } from '@roadworthy/service-kit/network/free-ports'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { type EngineChildOptions, prepareEngineChild } from './engine-child.ts'

const log = createLogger('silent')

async function takePort(t: TestContext): Promise<number> {
  const server = createServer((socket) => socket.destroy()).listen({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

function prepare(t: TestContext, options: Pick<EngineChildOptions, 'port' | 'choosePort'>) {
  const engine = prepareEngineChild({ ...options, env: process.env, log })
  assert.ok(engine)
  t.after(() => engine.program.stop(5_000))
  return engine
}

test('a port that is taken meanwhile is exchanged for another one', async (t) => {
  const ports = [await takePort(t), await findFreePort()]
  const wanted = ports[1]
  const engine = prepare(t, { port: 0, choosePort: async () => ports.shift() ?? assert.fail('a third port is asked for') })
  const url = await engine.start()
  assert.equal(url, `http://127.0.0.1:${wanted}`)
  assert.equal((await fetch(`${url}/v1/health`)).status, 200)
})

test('a port that was set is not', async (t) => {
  const engine = prepare(t, { port: await takePort(t), choosePort: () => assert.fail('it is set') })
  await assert.rejects(engine.start(), /it is in use on 127\.0\.0\.1/)
})
