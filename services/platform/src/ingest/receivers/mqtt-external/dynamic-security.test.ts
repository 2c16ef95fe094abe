// Goal: whatever stands on the topic of the answers, a command gets its own or an error, and nothing of it is held afterwards. Method: a server that speaks
// MQTT packet by packet, and answers what a test says.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import mqttPacket, { type Packet } from 'mqtt-packet'
import { DynamicSecurity } from './dynamic-security.ts'
import { until } from './test-broker-receiver.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const VERSION = 5

/** `answersTo` makes the payloads that follow a command, from what it was correlated by. */
async function open(t: TestContext, answersTo: (id: string) => readonly string[]): Promise<DynamicSecurity> {
  const sockets = new Set<Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    const send = (packet: Packet) => void socket.write(mqttPacket.generate(packet, { protocolVersion: VERSION }))
    const parser = mqttPacket.parser({ protocolVersion: VERSION })
    parser.on('packet', (packet) => {
      if (packet.cmd === 'connect') send({ cmd: 'connack', reasonCode: 0, sessionPresent: false })
      if (packet.cmd === 'subscribe') send({ cmd: 'suback', messageId: packet.messageId ?? 1, granted: [1] })
      if (packet.cmd !== 'publish') return
      const { commands } = JSON.parse(packet.payload.toString()) as { commands: { correlationData: string }[] }
      for (const payload of answersTo(commands[0]?.correlationData ?? '')) {
        send({ cmd: 'publish', topic: '$CONTROL/dynamic-security/v1/response', payload, qos: 0, dup: false, retain: false })
      }
    })
    socket.on('data', (chunk) => parser.parse(chunk))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const plan = { host: '127.0.0.1', port, tls: undefined, protocolVersion: VERSION, clientId: 'accounts', receiveMaximum: 10 } as const
  const dynamicSecurity = new DynamicSecurity({
    plan: { ...plan, username: 'roadworthy', password: 'hush' },
    isStoreThere: async () => true,
    random: () => 0,
    log,
  })
  dynamicSecurity.start()
  t.after(async () => {
    await dynamicSecurity.close(300)
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await until('the broker is connected', () => dynamicSecurity.trouble === undefined)
  return dynamicSecurity
}

const answerTo = (correlationData: string) => JSON.stringify({ responses: [{ command: 'getClient', correlationData }] })

test('what is no answer is passed over', async (t) => {
  const others = ['', 'null', '7', '{"responses":null}', '{"responses":[null,1,"x",[]]}', answerTo('of another')]
  const dynamicSecurity = await open(t, (id) => [...others, answerTo(id)])
  const [answer] = await dynamicSecurity.send([{ command: 'getClient', username: 'a' }])
  assert.equal(answer?.command, 'getClient')
})

test('a connection that lasts for years holds nothing of the commands that were sent on it', async (t) => {
  const dynamicSecurity = await open(t, (id) => [answerTo(id)])
  const held = new WeakRef(await dynamicSecurity.send([{ command: 'getClient', username: 'a' }]))
  await dynamicSecurity.send([{ command: 'getClient', username: 'b' }])
  // What a WeakRef was made of in a turn is kept for that turn.
  await nextTurn()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  assert.equal(held.deref(), undefined)
})
