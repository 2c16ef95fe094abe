// The thread in which the Kafka client runs: it reads one connection, or tests one. It has no database; what it reads is stored by those who
// started it, and how far it came is kept there as well.

// Before everything that loads the client.
import '@roadworthy/kafka/lazy-validators'
import { workerData } from 'node:worker_threads'
import { createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import { resolveName } from '@roadworthy/service-kit/network/resolve-name'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import type { OffsetStore } from '../../../streams/offset-store.ts'
import type { SampleMessage } from '../../../streams/probe-cluster.ts'
import { toKafkaConnection } from '../../../streams/stream-connection.ts'
import { tryConnection } from '../../../streams/try-connection.ts'
import { type PackedOutcomes, unpackOutcomes } from './packed-batch.ts'
import type { ReaderTask, ThreadContent } from './reader-task.ts'
import { type StreamConsumer, startStreamConsumer } from './stream-consumer.ts'
import type { StreamIngest } from './take-batch.ts'
import { openThreadCalls, type ThreadCalls } from './thread-calls.ts'

const given = workerData as ReaderTask
let consumer: StreamConsumer | undefined
let deadLetterCodes: string[] = []

/** Goes out with every beat. */
function content(): ThreadContent | undefined {
  if (consumer === undefined) return undefined
  const said = { status: consumer.status(), deadLetterCodes }
  deadLetterCodes = []
  return said
}

const calls = openThreadCalls(content)
const guard = createAddressGuard({ allowCidrs: given.allowCidrs, resolveName })
const kafka = toKafkaConnection(given.connection, given.secrets, guard)

if (given.kind === 'read') await read(calls)
else await test(calls)
calls.close()
// A broker may still hold a socket open, which would keep the thread.
process.exit(0)

async function read({ call, send, stopAsked }: ThreadCalls): Promise<void> {
  const ingest: StreamIngest = async (batch, progress) => {
    const outcomes = await call<PackedOutcomes>('ingest', batch, progress)
    return unpackOutcomes(outcomes, batch.receivedAtMs.length)
  }
  const offsets: OffsetStore = {
    select: (place) => call('selectOffsets', place),
    insertUnlessThere: (place, found) => call('insertOffsets', place, found),
    updateLost: (place, lost) => call('updateLostOffset', place, lost),
    store: (progress) => call('storeOffsets', progress),
  }
  const own = {
    offsets,
    ingest,
    maxAheadMs: given.maxAheadMs,
    isTraced: given.isTraced,
    now: () => new Date(),
    random: Math.random,
    log: createLogger(given.logLevel),
    countDeadLetter: (code: string) => deadLetterCodes.push(code),
  }
  consumer = startStreamConsumer(own, given.connection, kafka)
  await stopAsked
  await consumer.stop()
  send({ kind: 'beat', externalBytes: 0, content: content() })
}

async function test({ call, send }: ThreadCalls): Promise<void> {
  const judgeSample = (message: SampleMessage) => call<{ isTaken: boolean; detail: string }>('judgeSample', message)
  const onStep = (step: unknown) => send({ kind: 'beat', externalBytes: 0, content: { step } })
  const result = await tryConnection({ connection: given.connection, kafka, guard, judgeSample, onStep })
  send({ kind: 'result', content: { result } })
}
