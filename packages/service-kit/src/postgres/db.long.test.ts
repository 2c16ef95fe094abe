import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { openDatabase } from './db.ts'
import { createTestDatabase } from './test-database.ts'

/** Longer than `query_timeout`, after which a statement is given up. */
const SILENT_MS = 7_000

/** A way to the server on which nothing moves for a while and neither end notices, as with a firewall or a disk that hangs. */
class Way {
  readonly #server: net.Server
  readonly #sockets = new Set<Socket>()
  #isSilent = false
  #held: (() => void)[] = []
  /** What the client has sent. */
  heard = ''

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.#server = net.createServer((near) => {
      const far = net.connect(Number(port), hostname)
      near.on('data', (chunk) => {
        this.heard += chunk.toString('latin1')
      })
      this.#pass(near, far)
      this.#pass(far, near)
    })
  }

  #pass(from: Socket, to: Socket): void {
    this.#sockets.add(from)
    from.on('error', () => undefined)
    from.on('close', () => to.destroy())
    from.on('data', (chunk) => {
      if (this.#isSilent) this.#held.push(() => to.write(chunk))
      else to.write(chunk)
    })
  }

  async open(url: string): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const near = new URL(url)
    near.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return near.href
  }

  fallSilent(): void {
    this.#isSilent = true
    setTimeout(() => {
      this.#isSilent = false
      for (const go of this.#held.splice(0)) go()
    }, SILENT_MS).unref()
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}

test('a transaction whose server answers nothing any more is given up with its connection, and does not wait for a rollback too', async (t) => {
  const { url } = await createTestDatabase(t)
  const way = new Way(url)
  const nearUrl = await way.open(url)
  const database = openDatabase(
    { owner: url, app: nearUrl, system: nearUrl },
    { appConnections: 1, systemConnections: 1, onError: () => undefined },
  )
  try {
    const lost = database.system(async (db) => {
      way.fallSilent()
      await db.query('select 1 as unheard')
    })
    await assert.rejects(lost, /Query read timeout/)
    assert.match(way.heard, /unheard/)
    // A second wait would have lasted until the server could be heard again, and the rollback would have reached it.
    assert.doesNotMatch(way.heard, /rollback/)
  } finally {
    await database.close()
    way.close()
  }
})
