// A small closed-loop HTTP/1.1 client over keep-alive sockets: cheap enough that the server, not the client, is what is measured.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type LoadResult = { requestsPerSecond: number; p50Ms: number; p99Ms: number; failedCount: number }

/** Sends `body` over `connections` sockets, each waiting for its answer, for `durationMs`; or at a fixed rate when `perSecond` is given. */
export async function runLoad(options: {
  url: string
  body: string
  connections: number
  durationMs: number
  perSecond?: number
}): Promise<LoadResult> {
  const request = requestOf(options.url, options.body)
  const latenciesMs: number[] = []
  let failedCount = 0
  const startedAtMs = performance.now()
  const endsAtMs = startedAtMs + options.durationMs
  const everyMs = options.perSecond === undefined ? 0 : (1000 * options.connections) / options.perSecond

  async function runConnection(index: number): Promise<void> {
    const connection = await new Connection(options.url).opened()
    let dueAtMs = startedAtMs + (everyMs * index) / options.connections
    while (performance.now() < endsAtMs) {
      const waitMs = dueAtMs - performance.now()
      if (waitMs > 1) await new Promise((wake) => setTimeout(wake, waitMs))
      // Under a fixed rate an answer that is late counts from when its request was due, not from when it could be sent.
      const sentAtMs = everyMs > 0 ? Math.max(dueAtMs, startedAtMs) : performance.now()
      const status = await connection.exchange(request)
      if (status !== 200) failedCount++
      latenciesMs.push(performance.now() - sentAtMs)
      dueAtMs += everyMs
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: options.connections }, (_, index) => runConnection(index)))
  const elapsedS = (performance.now() - startedAtMs) / 1000
  latenciesMs.sort((a, b) => a - b)
  const quantile = (share: number) => latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))] ?? 0
  return { requestsPerSecond: latenciesMs.length / elapsedS, p50Ms: quantile(0.5), p99Ms: quantile(0.99), failedCount }
}

const RETRY_AFTER_MS = 1000

/**
 * Has each body answered once, over `connections` sockets that wait for their answers. One that is refused for now (503, as on a machine
 * that is busy otherwise) is sent again; any other answer than 200 throws. Returns how often that was.
 */
export async function sendEach(url: string, bodies: Iterator<string>, connections: number): Promise<{ refusedCount: number }> {
  let refusedCount = 0
  async function runConnection(): Promise<void> {
    const connection = await new Connection(url).opened()
    for (let next = bodies.next(); next.done !== true; next = bodies.next()) {
      let status = await connection.exchange(requestOf(url, next.value))
      for (; status === 503; status = await connection.exchange(requestOf(url, next.value))) {
        refusedCount++
        await new Promise((wake) => setTimeout(wake, RETRY_AFTER_MS))
      }
      if (status !== 200) throw new Error(`${status} from ${url}`)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, runConnection))
  return { refusedCount }
}

function requestOf(url: string, body: string): Buffer {
  const head = `POST ${new URL(url).pathname} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`
  return Buffer.from(`${head}\r\n\r\n${body}`)
}

type Waiting = { readonly done: (status: number) => void; readonly fail: (error: Error) => void }

const READ_BUFFER_BYTES = 64 * 1024

/** A socket that is used again and again, read into one buffer: without streams a client costs half as much, which is left to the server. */
class Connection {
  readonly #socket: Socket
  #waiting: Waiting | undefined
  #status = 0
  /** Of the answer that is coming in; nothing is known of it before its head is there. */
  #missingBytes: number | undefined

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    const onread = {
      buffer: Buffer.allocUnsafe(READ_BUFFER_BYTES),
      callback: (length: number, buffer: Uint8Array) => {
        this.#hear(buffer as Buffer, length)
        return true
      },
    }
    this.#socket = connect({ port: Number(port), host: hostname, noDelay: true, onread })
    this.#socket.on('error', (error) => this.#waiting?.fail(error))
    this.#socket.on('close', () => this.#waiting?.fail(new Error('the connection was closed before an answer')))
  }

  async opened(): Promise<this> {
    await once(this.#socket, 'connect')
    return this
  }

  /** One request and its whole answer, delimited by `content-length`. */
  exchange(request: Buffer): Promise<number> {
    return new Promise((done, fail) => {
      this.#waiting = { done, fail }
      this.#missingBytes = undefined
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#waiting = undefined
    this.#socket.destroy()
  }

  #hear(buffer: Buffer, length: number): void {
    const waiting = this.#waiting
    if (waiting === undefined) return
    if (this.#missingBytes === undefined) {
      const headEnd = buffer.subarray(0, length).indexOf('\r\n\r\n')
      const head = buffer.toString('latin1', 0, Math.max(0, headEnd))
      const bodyBytes = /content-length: (\d+)/i.exec(head)?.[1]
      if (bodyBytes === undefined) {
        waiting.fail(new Error('the answer has no content-length in its first piece'))
        return
      }
      this.#status = Number(head.slice(9, 12))
      this.#missingBytes = headEnd + 4 + Number(bodyBytes)
    }
    this.#missingBytes -= length
    if (this.#missingBytes > 0) return
    this.#waiting = undefined
    waiting.done(this.#status)
  }
}
