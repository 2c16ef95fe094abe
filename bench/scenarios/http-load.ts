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
  const { hostname, port } = new URL(options.url)
  const request = requestOf(options.url, options.body)
  const latenciesMs: number[] = []
  let failedCount = 0
  const startedAtMs = performance.now()
  const endsAtMs = startedAtMs + options.durationMs
  const everyMs = options.perSecond === undefined ? 0 : (1000 * options.connections) / options.perSecond

  async function runConnection(index: number): Promise<void> {
    const socket = connect(Number(port), hostname).setNoDelay(true)
    await once(socket, 'connect')
    let dueAtMs = startedAtMs + (everyMs * index) / options.connections
    while (performance.now() < endsAtMs) {
      const waitMs = dueAtMs - performance.now()
      if (waitMs > 1) await new Promise((wake) => setTimeout(wake, waitMs))
      // Under a fixed rate an answer that is late counts from when its request was due, not from when it could be sent.
      const sentAtMs = everyMs > 0 ? Math.max(dueAtMs, startedAtMs) : performance.now()
      const status = await exchange(socket, request)
      if (status !== 200) failedCount++
      latenciesMs.push(performance.now() - sentAtMs)
      dueAtMs += everyMs
    }
    socket.destroy()
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
 * that is busy otherwise) is sent again; any other answer than 200 throws. Tells how often that was.
 */
export async function sendEach(url: string, bodies: Iterator<string>, connections: number): Promise<{ refusedCount: number }> {
  const { hostname, port } = new URL(url)
  let refusedCount = 0
  async function runConnection(): Promise<void> {
    const socket = connect(Number(port), hostname).setNoDelay(true)
    await once(socket, 'connect')
    for (let next = bodies.next(); next.done !== true; next = bodies.next()) {
      let status = await exchange(socket, requestOf(url, next.value))
      for (; status === 503; status = await exchange(socket, requestOf(url, next.value))) {
        refusedCount++
        await new Promise((wake) => setTimeout(wake, RETRY_AFTER_MS))
      }
      if (status !== 200) throw new Error(`${status} from ${url}`)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, runConnection))
  return { refusedCount }
}

function requestOf(url: string, body: string): Buffer {
  const head = `POST ${new URL(url).pathname} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`
  return Buffer.from(`${head}\r\n\r\n${body}`)
}

/** One request and its whole answer, told by `content-length`. */
function exchange(socket: Socket, request: Buffer): Promise<number> {
  return new Promise((done, fail) => {
    let received = 0
    let expected = -1
    let status = 0
    const onData = (chunk: Buffer): void => {
      if (expected < 0) {
        const head = chunk.toString('latin1')
        const headEnd = head.indexOf('\r\n\r\n')
        const length = /content-length: (\d+)/i.exec(head)?.[1]
        if (headEnd < 0 || length === undefined) {
          fail(new Error('the answer has no content-length in its first chunk'))
          return
        }
        status = Number(head.slice(9, 12))
        expected = headEnd + 4 + Number(length)
      }
      received += chunk.length
      if (received < expected) return
      socket.off('data', onData).off('error', fail)
      done(status)
    }
    socket.on('data', onData).once('error', fail)
    socket.write(request)
  })
}
