// Goal: a device that has lost its access is disconnected by the broker, whatever the broker remembers of it. Method: a real Mosquitto, which holds to
// the same clauses of MQTT as any other.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasMosquitto, startMosquitto } from '@roadworthy/service-kit/network/test-mosquitto'
import { connectAsync, connect as createClient } from 'mqtt'
import { SessionTakeover } from './session-takeover.ts'

const options = { skip: hasMosquitto ? false : 'Mosquitto is not installed' }
const DEVICE = 'dev-aaaaaaaa0001'

for (const protocolVersion of [4, 5] as const) {
  test(`with MQTT ${protocolVersion} the connection of a device is closed and nothing is kept for it`, options, async (t) => {
    const broker = await startMosquitto(t)
    const connect = (clientId: string) => connectAsync(broker.url, { clientId, clean: false, reconnectPeriod: 0, protocolVersion: 4 })
    const [device, neighbour] = [await connect(DEVICE), await connect('dev-bbbbbbbb0002')]
    t.after(() => Promise.all([device.endAsync(true), neighbour.endAsync(true)]))
    await device.subscribeAsync('commands', { qos: 1 })
    const warnings: unknown[] = []
    const takeover = new SessionTakeover({
      plan: {
        ...{ host: '127.0.0.1', port: broker.port, tls: undefined, protocolVersion },
        ...{ username: undefined, password: undefined, receiveMaximum: 10 },
      },
      random: () => 0,
      log: { debug: () => {}, info: () => {}, warn: (about) => warnings.push(about), error: () => {} },
    })
    const closed = new Promise<void>((resolve) => device.once('close', resolve))
    takeover.end(DEVICE)
    await closed
    await takeover.close()
    assert.deepEqual([warnings, neighbour.connected], [[], true])
    const again = createClient(broker.url, { clientId: DEVICE, clean: false, reconnectPeriod: 0 })
    t.after(() => again.endAsync(true))
    const welcome = await new Promise<{ sessionPresent: boolean }>((resolve) => again.once('connect', resolve))
    assert.equal(welcome.sessionPresent, false)
  })
}
