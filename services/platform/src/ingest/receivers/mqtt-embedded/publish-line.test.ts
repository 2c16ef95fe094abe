// Goal: a client that does not read its acknowledgements is closed, and one that is only slow is not. Method: a stream that takes what is written when it is let.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { mock, test } from 'node:test'
import { defaultMqttLimits } from './limits.ts'
import { PublishLine } from './publish-line.ts'
import { PublishQueue } from './publish-queue.ts'
import { recordingIngest } from './test-mqtt-receiver.ts'

function open() {
  const letThrough: (() => void)[] = []
  const socket = new Duplex({
    writableHighWaterMark: 4,
    read: () => undefined,
    write: (_bytes, _encoding, done) => void letThrough.push(done),
  })
  // The broker logs it.
  const errors: string[] = []
  socket.on('error', ({ message }) => errors.push(message))
  const queue = new PublishQueue({ ...recordingIngest(), limits: defaultMqttLimits, onStoreAway: (error) => assert.fail(error) })
  const line = new PublishLine({
    queue,
    limits: defaultMqttLimits,
    now: () => new Date(),
    socket: socket as unknown as Socket,
    onTaken: () => undefined,
    readAgain: () => undefined,
    onFailed: (error) => assert.fail(String(error)),
  })
  const publish = async (messageId: number) => {
    const sender = { resellerId: 'acme', deviceId: 'dev-aaaaaaaa0001' }
    line.push({ payload: Buffer.from('{}'), qos: 1, messageId }, sender, (error) => assert.equal(error, null), 0)
    await queue.idle()
  }
  return { socket, publish, letThrough, errors }
}

test('a client that reads none of its acknowledgements is closed after its time', async () => {
  const { socket, publish, errors } = open()
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    await publish(1)
    mock.timers.tick(defaultMqttLimits.drainTimeoutMs - 1)
    await publish(2)
    assert.equal(socket.destroyed, false)
    mock.timers.tick(1)
    assert.equal(socket.destroyed, true)
    // Its commit is done; nobody is there for the acknowledgement.
    await publish(3)
    assert.deepEqual(errors, ['drain timeout'])
  } finally {
    mock.timers.reset()
  }
})

test('one that reads in time stays, and has its time anew', async () => {
  const { socket, publish, letThrough } = open()
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    for (let messageId = 1; messageId <= 3; messageId++) {
      await publish(messageId)
      mock.timers.tick(defaultMqttLimits.drainTimeoutMs - 1)
      const drained = once(socket, 'drain')
      for (const done of letThrough.splice(0)) done()
      await drained
    }
    mock.timers.tick(defaultMqttLimits.drainTimeoutMs)
    assert.equal(socket.destroyed, false)
    assert.equal(socket.listenerCount('drain'), 0)
  } finally {
    mock.timers.reset()
  }
})
