// Goal: no address is connected to that was not judged, whoever named it. Method: a real Kafka, which advertises 127.0.0.1,
// behind a relay at 127.0.0.2; `npm run test:kafka` fetches it and runs this.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import { createProducer } from './kafka-client.ts'
import { explainKafkaError } from './kafka-error.ts'
import { createKafkaBroker, type KafkaBroker } from './testing-kafka.ts'
import { createTopic } from './testing-topic.ts'

const classPath = process.env['KAFKA_CLASS_PATH']
const skip = classPath === undefined ? 'no Kafka: run `npm run test:kafka`, which fetches one' : false
const options = { skip, timeout: 900_000 }

let broker: KafkaBroker
before(async () => {
  if (classPath === undefined) return
  broker = await createKafkaBroker(classPath)
  await broker.start()
})
after(() => broker?.remove())

test('a broker that the cluster names is judged as those that were given, by its address and by its name', options, async (t) => {
  const topic = await createTopic(t, broker.address)
  const { port } = new URL(`tcp://${broker.address}`)
  // Under another address than the one that the broker advertises.
  const relay = createServer((socket) => {
    const onward = connect({ host: '127.0.0.1', port: Number(port) })
    socket.pipe(onward).pipe(socket)
    for (const each of [socket, onward]) each.on('error', () => undefined)
  }).listen(0, '127.0.0.2')
  await once(relay, 'listening')
  t.after(() => relay.close())
  const relayPort = (relay.address() as { port: number }).port
  const reach = async (brokers: string[], allowCidrs: string, more: object = {}) => {
    const resolveName = async () => [{ address: '127.0.0.1', family: 4 as const }]
    const producer = createProducer({
      clientId: 'test',
      bootstrapBrokers: brokers,
      guard: createAddressGuard({ allowCidrs, resolveName }),
      ...more,
    })
    const sending = producer.send({ messages: [{ topic: `${topic.name}.dlq`, value: Buffer.from('x') }] })
    const outcome = await sending.then(() => 'sent', explainKafkaError)
    await producer.close()
    return outcome
  }
  assert.match(await reach([`127.0.0.2:${relayPort}`], '127.0.0.2/32'), /127\.0\.0\.1 is not, or not only, a public address/)
  assert.equal(await reach([`127.0.0.2:${relayPort}`], '127.0.0.0/8'), 'sent')
  assert.equal(await reach([`kafka.example.com:${port}`], '127.0.0.0/8'), 'sent', 'a name, at the address that was judged')
  assert.match(await reach([`kafka.example.com:${port}`], '10.0.0.0/8'), /kafka\.example\.com is not, or not only/)
  const securePort = new URL(`tcp://${broker.certificateAddress}`).port
  const secure = { tls: {}, tlsServerName: true }
  assert.match(await reach([`kafka.example.com:${securePort}`], '10.0.0.0/8', secure), /kafka\.example\.com is not, or not only/)
  assert.match(await reach([`kafka.example.com:${securePort}`], '127.0.0.0/8', secure), /certificate|UNABLE_TO_VERIFY|SELF_SIGNED/i)
})
