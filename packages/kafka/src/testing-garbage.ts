// For tests: what brokers that are none, or mean harm, may send. Each is sent by `testing-hostile-broker.ts`, the deeper ones after it has been
// honest for as long as it takes to get there.
import type { Socket } from 'node:net'
import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { lz4FrameOfZeros, snappyBlockOfZeros } from './testing-bombs.ts'
import {
  type ApiName,
  array,
  bytes,
  fetchBody,
  type HostileOptions,
  type HostileRequest,
  int8,
  int16,
  int32,
  int64,
  metadataBody,
  record,
  recordBatch,
  string,
  varint,
} from './testing-hostile-broker.ts'

export type Garbage = { readonly name: string; readonly options: (topic: string) => HostileOptions }

const BOMB_BYTES = 96 * 1024 * 1024
const MB = 1024 * 1024

const speaking = (name: string, sent: Buffer): Garbage => ({
  name,
  options: (topic) => ({ topic, onConnect: (socket) => socket.once('data', () => socket.write(sent)) }),
})
const onConnect = (name: string, act: (socket: Socket) => void): Garbage => ({
  name,
  options: (topic) => ({ topic, onConnect: act }),
})
const answering = (name: string, api: ApiName, answer: (request: HostileRequest, topic: string) => Buffer): Garbage => ({
  name,
  options: (topic) => ({ topic, answer: (request) => (request.api === api ? answer(request, topic) : undefined) }),
})
const fetching = (name: string, records: () => Buffer): Garbage => ({ name, options: (topic) => ({ topic, records }) })

const drip = (socket: Socket) => {
  socket.once('data', () => {
    socket.write(int32(1024))
    const timer = setInterval(() => socket.write(Buffer.alloc(1)), 20)
    socket.once('close', () => clearInterval(timer))
  })
}

const manyBrokers = Array.from({ length: 5_000 }, (_, i) => [i + 1, `127.0.${(i >> 8) & 255}.${i & 255}`, 9_000] as const)
const leadingTo = (host: string, port: number) => (request: HostileRequest, topic: string) =>
  request.frame(metadataBody([topic, `${topic}.dlq`], [[1, host, port]]))
const CLIENT_HELLO = Buffer.from('1603010200010001fc0303', 'hex')
/** Continuation bits without an end. */
const ENDLESS_VARINT = Buffer.alloc(4_096, 0xff)

/** Before anything of Kafka is understood. */
const strangers: readonly Garbage[] = [
  speaking('five zero bytes', Buffer.alloc(5)),
  speaking('many zero bytes', Buffer.alloc(100_000)),
  speaking('a length of 2 GiB', bytes(int32(0x7fffffff), int32(1), Buffer.alloc(64))),
  speaking('a negative length', bytes(int32(-5), int32(1), Buffer.alloc(64))),
  speaking('a length of three', bytes(int32(3), Buffer.alloc(3))),
  speaking('an answer in HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')),
  speaking('a TLS hello', bytes(CLIENT_HELLO, Buffer.alloc(512))),
  speaking('an SSH banner', Buffer.from('SSH-2.0-OpenSSH_9.6\r\n')),
  speaking('an answer to nobody', bytes(int32(8), int32(123_456), int32(0))),
  speaking('the same answer twice', bytes(int32(4), int32(1), int32(4), int32(1))),
  onConnect('an end at once', (socket) => socket.destroy()),
  onConnect('an end after the first request', (socket) => socket.once('data', () => socket.destroy())),
  onConnect('a drip without end', drip),
  onConnect('bytes before any request', (socket) => void socket.write(Buffer.alloc(5))),
]

/** What stands in an answer. */
const liars: readonly Garbage[] = [
  answering('an answer that is cut short', 'metadata', ({ frame, honest }) => frame(honest().subarray(8, 20))),
  answering('an answer without content', 'metadata', ({ frame }) => frame(Buffer.alloc(0))),
  answering('two billion brokers', 'metadata', ({ frame }) => frame(int32(0x7fffffff))),
  answering('minus two brokers', 'metadata', ({ frame }) => frame(int32(-2))),
  answering('an error that nobody knows', 'findCoordinator', ({ frame }) => frame(bytes(int16(9_999), int32(1), string('x'), int32(1)))),
  answering('names of a negative length', 'metadata', ({ frame }) =>
    frame(bytes(int32(0x7fffffff), int32(1), int16(-6), Buffer.alloc(64))),
  ),
  answering('versions of a negative length', 'apiVersions', ({ frame }) => frame(bytes(int16(0), int32(-7)))),
  answering('no versions', 'apiVersions', ({ frame }) => frame(bytes(int16(0), array()))),
  answering('brokers at 0.0.0.0', 'metadata', leadingTo('0.0.0.0', 9_092)),
  answering('brokers at a private address', 'metadata', leadingTo('169.254.169.254', 80)),
  answering('brokers at port 0', 'metadata', leadingTo('127.0.0.1', 0)),
  answering('brokers at port 70000', 'metadata', leadingTo('127.0.0.1', 70_000)),
  answering('brokers at port -1', 'metadata', leadingTo('127.0.0.1', -1)),
  answering('brokers without a name', 'metadata', leadingTo('', 9_092)),
  answering('five thousand brokers', 'metadata', ({ frame }, topic) => frame(metadataBody([topic], manyBrokers))),
  answering('a topic with a name of 30 kB', 'metadata', ({ frame }) =>
    frame(metadataBody(['x'.repeat(30_000)], [[1, '127.0.0.1', 9_092]])),
  ),
  answering('an answer of 3 MB', 'metadata', ({ frame }) => frame(Buffer.alloc(3 * MB))),
  answering('a coordinator at port -5', 'findCoordinator', ({ frame }) => frame(bytes(int16(0), int32(1), string('127.0.0.1'), int32(-5)))),
  answering('an assignment that is cut short', 'syncGroup', ({ frame }) => frame(bytes(int16(0), int32(4), int32(-1)))),
  answering('an assignment of a million partitions', 'syncGroup', ({ frame }, topic) => {
    const partitions = bytes(int32(100_000), ...Array.from({ length: 100_000 }, (_, i) => int32(i)))
    const content = bytes(int16(0), int32(1), string(topic), partitions, int32(0))
    return frame(bytes(int16(0), int32(content.length), content))
  }),
  answering('an assignment of another topic', 'syncGroup', ({ frame }) => {
    const content = bytes(int16(0), array(bytes(string('other'), array(int32(0), int32(7)))), int32(0))
    return frame(bytes(int16(0), int32(content.length), content))
  }),
  answering('offsets below zero', 'listOffsets', ({ frame }, topic) =>
    frame(array(bytes(string(topic), array(bytes(int32(0), int16(0), int64(-1n), int64(-9_000n)))))),
  ),
  answering('offsets of another topic', 'listOffsets', ({ frame }) =>
    frame(array(bytes(string('other'), array(bytes(int32(3), int16(0), int64(-1n), int64(0n)))))),
  ),
  answering('a fetch of another topic', 'fetch', ({ frame }) => frame(fetchBody('other', Buffer.alloc(0)))),
  answering('a fetch of 20 MB', 'fetch', ({ frame }) => frame(Buffer.alloc(20 * MB))),
]

const zipped = gzipSync(gzipSync(Buffer.alloc(16 * MB)))
const bomb = (compression: 'gzip' | 'snappy' | 'lz4' | 'zstd', content: Buffer) => recordBatch(content, { compression, count: 1_000_000 })
/** The value of the second record leads back to the end of the first, so that the second is read again for ever. */
const backwards = bytes(record('x'), varint(5), int8(0), varint(0), varint(0), varint(-1), varint(-7))

/** What stands in a batch of records. */
const bombs: readonly Garbage[] = [
  fetching('a bomb in gzip', () => bomb('gzip', gzipSync(Buffer.alloc(BOMB_BYTES), { level: 1 }))),
  fetching('a bomb in zstd', () => bomb('zstd', zstdCompressSync(Buffer.alloc(BOMB_BYTES)))),
  fetching('a bomb in snappy', () => bomb('snappy', snappyBlockOfZeros(BOMB_BYTES))),
  fetching('a bomb in lz4', () => bomb('lz4', lz4FrameOfZeros(BOMB_BYTES))),
  fetching('a zip of zips', () => bomb('gzip', zipped)),
  fetching('many small bombs', () => bytes(...Array.from({ length: 20 }, () => bomb('gzip', gzipSync(Buffer.alloc(8 * MB)))))),
  fetching('a compression that nobody knows', () => {
    const batch = recordBatch(record('x'))
    batch.writeInt16BE(7, 21)
    return batch
  }),
  fetching('gzip that is none', () => recordBatch(deflateRawSync(Buffer.alloc(64)), { compression: 'gzip' })),
  fetching('lz4 that is none', () => recordBatch(Buffer.alloc(64), { compression: 'lz4' })),
  fetching('snappy that is none', () => recordBatch(Buffer.alloc(64, 0xff), { compression: 'snappy' })),
  fetching('zstd that is none', () => recordBatch(Buffer.alloc(64), { compression: 'zstd' })),
  fetching('a batch of a negative length', () => recordBatch(record('x'), { length: -100 })),
  fetching('a compressed batch of a negative length', () => recordBatch(gzipSync(record('x')), { length: -100, compression: 'gzip' })),
  fetching('two billion records', () => recordBatch(record('x'), { count: 0x7fffffff })),
  fetching('minus five records', () => recordBatch(record('x'), { count: -5 })),
  fetching('records that lead back', () => recordBatch(backwards, { count: 0x7fffffff })),
  fetching('a varint without end', () => recordBatch(ENDLESS_VARINT)),
  fetching('offsets that go back', () =>
    bytes(recordBatch(record('{}'), { firstOffset: 9n }), recordBatch(record('{}'), { firstOffset: 3n })),
  ),
  fetching('an offset at the end of all', () => recordBatch(record('{}'), { firstOffset: 0x7fffffffffffffffn })),
  fetching('a time at the end of all', () => recordBatch(record('{}'), { timestamp: 0x7fffffffffffffffn })),
  fetching('a time before all', () => recordBatch(record('{}'), { timestamp: -0x8000000000000000n })),
  fetching('values that are no text', () => recordBatch(record('\u0000\ufffd{'))),
]

export const allGarbage: readonly Garbage[] = [...strangers, ...liars, ...bombs]
