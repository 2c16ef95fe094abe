// For tests: a Kafka broker on loopback. It implements the oldest versions of the protocol, as far as a consumer needs them, until the test makes
// it answer otherwise. It is one broker with one topic of one partition, and a topic of dead letters. Where an honest broker waits for messages to
// come, it answers at once.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

const apiKeys = {
  produce: 0,
  fetch: 1,
  listOffsets: 2,
  metadata: 3,
  offsetCommit: 8,
  offsetFetch: 9,
  findCoordinator: 10,
  joinGroup: 11,
  heartbeat: 12,
  leaveGroup: 13,
  syncGroup: 14,
  apiVersions: 18,
} as const
export type ApiName = keyof typeof apiKeys

/** Versions before the protocol had tagged fields: short to write by hand, and a client must still read them. */
const versions: Readonly<Record<ApiName, number>> = {
  produce: 3,
  fetch: 4,
  listOffsets: 1,
  metadata: 1,
  offsetCommit: 2,
  offsetFetch: 1,
  findCoordinator: 0,
  joinGroup: 0,
  heartbeat: 0,
  leaveGroup: 0,
  syncGroup: 0,
  apiVersions: 0,
}

export type HostileRequest = {
  readonly api: ApiName
  readonly correlationId: number
  readonly body: Buffer
  /** Answer bytes as an honest broker would send them, with length and correlation id. */
  readonly honest: () => Buffer
  /** These bytes as an answer to this request. */
  readonly frame: (body: Buffer) => Buffer
  readonly socket: Socket
}

export type HostileOptions = {
  readonly topic: string
  /** Instead of Kafka from the first byte on. */
  readonly onConnect?: (socket: Socket) => void
  /** What to send; undefined: what an honest broker would. An empty buffer sends nothing. */
  readonly answer?: (request: HostileRequest) => Buffer | undefined
  /** Batches of records, of the one partition. */
  readonly records?: () => Buffer
}

export type HostileBroker = {
  readonly address: string
  readonly port: number
  readonly connectionCount: () => number
  close(): Promise<void>
}

export async function startHostileBroker(options: HostileOptions): Promise<HostileBroker> {
  const sockets = new Set<Socket>()
  let connectionCount = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    connectionCount++
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    if (options.onConnect !== undefined) return options.onConnect(socket)
    let waiting = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      waiting = Buffer.concat([waiting, chunk])
      while (waiting.length >= 4 && waiting.length >= 4 + waiting.readInt32BE(0)) {
        const end = 4 + waiting.readInt32BE(0)
        const bytes = answerTo(waiting.subarray(4, end), socket, options, port())
        waiting = waiting.subarray(end)
        if (bytes.length > 0 && !socket.destroyed) socket.write(bytes)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = () => (server.address() as { port: number }).port
  return {
    address: `127.0.0.1:${port()}`,
    port: port(),
    connectionCount: () => connectionCount,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function answerTo(request: Buffer, socket: Socket, options: HostileOptions, port: number): Buffer {
  const apiKey = request.readInt16BE(0)
  const version = request.readInt16BE(2)
  const correlationId = request.readInt32BE(4)
  const api = (Object.keys(apiKeys) as ApiName[]).find((name) => apiKeys[name] === apiKey)
  if (api === undefined) return Buffer.alloc(0)
  if (api !== 'apiVersions' && version !== versions[api]) {
    // A client that believes a list of versions with bytes changed in it. Brokers close such a connection.
    socket.destroy()
    return Buffer.alloc(0)
  }
  const frame = (body: Buffer) => bytes(int32(4 + body.length), int32(correlationId), body)
  const clientIdLength = Math.max(0, request.readInt16BE(8))
  const body = request.subarray(10 + clientIdLength)
  const honest = () => frame(honestBody(api, version, body, options, port))
  return options.answer?.({ api, correlationId, body, honest, frame, socket }) ?? honest()
}

export const bytes = (...parts: readonly Buffer[]) => Buffer.concat(parts)
export const int8 = (value: number) => Buffer.from([value & 0xff])
export function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeInt16BE(value)
  return buffer
}
export function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(value)
  return buffer
}
export function int64(value: bigint): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigInt64BE(value)
  return buffer
}
export const string = (text: string) => bytes(int16(Buffer.byteLength(text)), Buffer.from(text))
export const array = (...elements: readonly Buffer[]) => bytes(int32(elements.length), ...elements)
/** Zigzag, as in records. */
export function varint(value: number | bigint): Buffer {
  let rest = BigInt(value) >= 0n ? BigInt(value) * 2n : -BigInt(value) * 2n - 1n
  const out: number[] = []
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    out.push(rest > 0n ? low | 0x80 : low)
  } while (rest > 0n)
  return Buffer.from(out)
}

/** `nodes`: id, host and port of each; the leader of the one partition is the first of them. */
export function metadataBody(topics: readonly string[], nodes: readonly (readonly [number, string, number])[]): Buffer {
  const leader = int32(nodes[0]?.[0] ?? -1)
  const partition = bytes(int16(0), int32(0), leader, array(leader), array(leader))
  const brokers = nodes.map(([id, host, port]) => bytes(int32(id), string(host), int32(port), int16(-1)))
  return bytes(array(...brokers), leader, array(...topics.map((name) => bytes(int16(0), string(name), int8(0), array(partition)))))
}

function honestBody(api: ApiName, version: number, body: Buffer, { topic, records }: HostileOptions, port: number): Buffer {
  switch (api) {
    case 'apiVersions': {
      const entries = (Object.keys(apiKeys) as ApiName[]).map((name) =>
        bytes(int16(apiKeys[name]), int16(versions[name]), int16(versions[name])),
      )
      // Brokers that do not know the version that was asked for answer in the first one.
      return bytes(int16(version > 1 ? UNSUPPORTED_VERSION : 0), array(...entries), ...(version === 1 ? [int32(0)] : []))
    }
    case 'metadata':
      return metadataBody([topic, `${topic}.dlq`], [[1, '127.0.0.1', port]])
    case 'findCoordinator':
      return bytes(int16(0), int32(1), string('127.0.0.1'), int32(port))
    case 'joinGroup': {
      const protocol = readProtocol(body)
      return bytes(int16(0), int32(1), string(protocol.name), string('me'), string('me'), array(bytes(string('me'), protocol.metadata)))
    }
    case 'syncGroup':
      return bytes(int16(0), sized(bytes(int16(0), array(bytes(string(topic), array(int32(0)))), int32(0))))
    case 'offsetFetch':
      return array(bytes(string(topic), array(bytes(int32(0), int64(-1n), string(''), int16(0)))))
    case 'listOffsets':
      return array(bytes(string(topic), array(bytes(int32(0), int16(0), int64(-1n), int64(isEarliest(body) ? 0n : 1_000_000n)))))
    case 'fetch':
      return fetchBody(topic, records?.() ?? Buffer.alloc(0))
    case 'offsetCommit':
      return array(bytes(string(topic), array(bytes(int32(0), int16(0)))))
    case 'produce':
      return bytes(array(bytes(string(`${topic}.dlq`), array(bytes(int32(0), int16(0), int64(0n), int64(-1n))))), int32(0))
    case 'heartbeat':
    case 'leaveGroup':
      return int16(0)
  }
}

const UNSUPPORTED_VERSION = 35
const sized = (content: Buffer) => bytes(int32(content.length), content)

export function fetchBody(topic: string, records: Buffer): Buffer {
  const offsets = bytes(int64(1_000_000n), int64(1_000_000n))
  return bytes(int32(0), array(bytes(string(topic), array(bytes(int32(0), int16(0), offsets, array(), sized(records))))))
}

/** The request ends with partition and timestamp of the one partition. */
const isEarliest = (body: Buffer) => body.readBigInt64BE(body.length - 8) === -2n

/** group_id, session_timeout, member_id, protocol_type, and the first of the protocols. */
function readProtocol(body: Buffer): { name: string; metadata: Buffer } {
  let at = 0
  const text = () => {
    const length = body.readInt16BE(at)
    at += 2 + length
    return body.toString('utf8', at - length, at)
  }
  text()
  at += 4
  text()
  text()
  at += 4
  const name = text()
  const length = body.readInt32BE(at)
  return { name, metadata: body.subarray(at, at + 4 + length) }
}

export type BatchOptions = {
  readonly firstOffset?: bigint
  /** As it stands in the batch, whatever is in it. */
  readonly length?: number
  readonly count?: number
  readonly compression?: 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd'
  readonly timestamp?: bigint
}
const COMPRESSIONS = ['none', 'gzip', 'snappy', 'lz4', 'zstd']

/** Of records that are encoded already, and compressed where that is declared. The check sum is wrong, which the client does not look at. */
export function recordBatch(records: Buffer, options: BatchOptions = {}): Buffer {
  const { firstOffset = 0n, count = 1, compression = 'none', timestamp = BigInt(Date.now()) } = options
  const attributes = int16(COMPRESSIONS.indexOf(compression))
  const times = bytes(int64(timestamp), int64(timestamp))
  const rest = bytes(
    int32(0),
    int8(2),
    int32(0),
    attributes,
    int32(count - 1),
    times,
    int64(-1n),
    int16(-1),
    int32(-1),
    int32(count),
    records,
  )
  return bytes(int64(firstOffset), int32(options.length ?? rest.length), rest)
}

export function record(value: string, offsetDelta = 0): Buffer {
  const content = bytes(
    int8(0),
    varint(0),
    varint(offsetDelta),
    varint(-1),
    varint(Buffer.byteLength(value)),
    Buffer.from(value),
    varint(0),
  )
  return bytes(varint(content.length), content)
}
