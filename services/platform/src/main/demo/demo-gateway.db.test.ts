// Goal: the demo takes payments whatever is left of its emulated gateway. Method: the routes over a real database, and emulators without a state, as beside a
// backup that is restored.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type EmulatorChild, startEmulatorChild } from '@roadworthy/gateway-emulator/testing-emulator'
import { openPaymentService } from '../../payments/test-payment-service.ts'
import { createDemoApi } from './demo-api.ts'
import { connectGateway } from './demo-gateway.ts'

const service = await openPaymentService({ after })
const emulators: EmulatorChild[] = []
after(() => Promise.all(emulators.map((emulator) => emulator.stop())))

async function newEmulator(): Promise<EmulatorChild> {
  const emulator = await startEmulatorChild()
  emulators.push(emulator)
  return emulator
}

test('a demo whose emulated gateway began anew is connected to it once, and what was paid before stays with the connection of before', async () => {
  const { call, apiKey } = await service.resellerWithKey('demo')
  const { url } = service
  const api = createDemoApi(url, apiKey, new AbortController().signal)
  const start = async (emulator: EmulatorChild) => await connectGateway({ secretKey: 'secret', url }, api, emulator.url)
  type Listed = { connection_id: string; enabled: boolean; settings: { base_url: string } }
  const listed = async (): Promise<Listed[]> => (await call('GET', '/gateway-connections')).body.connections
  const placesOf = async () => (await listed()).map(({ enabled, settings }) => [enabled, settings.base_url])
  const pay = async () => {
    const { invoiceId } = await service.invoice('demo')
    const { status, body } = await call('POST', `/invoices/${invoiceId}/pay`, {})
    assert.equal(status, 200, JSON.stringify(body))
  }

  const first = await newEmulator()
  await start(first)
  await start(first)
  await pay()
  assert.deepEqual(await placesOf(), [[true, first.url]])

  const second = await newEmulator()
  await start(second)
  await pay()
  await start(second)
  const places = [
    [false, first.url],
    [true, second.url],
  ]
  assert.deepEqual(await placesOf(), places)

  // What a person switched off stays so.
  await call('PUT', `/gateway-connections/${(await listed())[1]?.connection_id}`, { enabled: false })
  const third = await newEmulator()
  await start(third)
  assert.deepEqual(await placesOf(), [places[0], [false, second.url], [false, third.url]])
})
