// For tests: stands between the nodes of a cluster and one of them, lets the protocol of PostgreSQL through, and holds it at a statement that a test names.

import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import type { CitusInstallation } from './citus-installation.ts'

/** `before`: the node has not received the statement. `after`: it has done it, and its answer is held. */
export type HoldPoint = { readonly statement: string; readonly when: 'before' | 'after' }

export class NodeProxy {
  readonly #targetPort: number
  readonly #server = createServer((socket) => this.#connect(socket))
  readonly #sockets = new Set<Socket>()
  #hold: (HoldPoint & { readonly reached: () => void }) | undefined
  #held: (() => void)[] = []
  #isHolding = false
  /** Taken so far. */
  connectionCount = 0

  private constructor(targetPort: number) {
    this.#targetPort = targetPort
  }

  static async start(t: CleanUp, targetPort: number): Promise<NodeProxy> {
    const proxy = new NodeProxy(targetPort)
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening')
    t.after(async () => {
      proxy.cut()
      await proxy.#server[Symbol.asyncDispose]()
    })
    return proxy
  }

  /** Has the other nodes, and the service, reach the worker by way of a proxy. */
  static async putBefore(t: CleanUp, at: CitusInstallation, nth: number): Promise<NodeProxy> {
    const proxy = await NodeProxy.start(t, at.citus.port(nth))
    const asSuperuser = async (sql: string, values: unknown[] = []) => await at.ask(sql, values, { user: 'postgres' })
    const [node] = await asSuperuser('select nodeid from pg_dist_node where nodeport = $1', [at.citus.port(nth)])
    await asSuperuser('select citus_update_node($1, $2, $3)', [node?.['nodeid'], '127.0.0.1', proxy.port])
    // By itself Citus does so within a minute.
    await asSuperuser('select start_metadata_sync_to_all_nodes()')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Fulfilled when the next such statement is sent; from then on nothing passes until `letThrough` or `cut`. */
  async holdAt(point: HoldPoint): Promise<void> {
    const { promise, resolve: reached } = Promise.withResolvers<void>()
    this.#hold = { ...point, reached }
    await promise
  }

  letThrough(): void {
    this.#hold = undefined
    this.#isHolding = false
    for (const pass of this.#held.splice(0)) pass()
  }

  /** Ends all connections, with what was held on them. New ones are taken. */
  cut(): void {
    this.#held = []
    for (const socket of this.#sockets) socket.destroy()
    this.letThrough()
  }

  #connect(client: Socket): void {
    this.connectionCount++
    const node = createConnection(this.#targetPort, '127.0.0.1')
    for (const [from, to] of [
      [client, node],
      [node, client],
    ] as const) {
      this.#sockets.add(from)
      // A node that is killed resets what it had; both sides of the connection end then.
      from.on('error', () => undefined)
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
    }
    client.on('data', (chunk) => {
      const hold = this.#isHolding ? undefined : this.#hold
      if (hold === undefined || !chunk.includes(hold.statement)) return this.#pass(() => node.write(chunk))
      if (hold.when === 'after') {
        this.#isHolding = true
        node.write(chunk)
        node.once('data', hold.reached)
        return
      }
      this.#isHolding = true
      this.#pass(() => node.write(chunk))
      hold.reached()
    })
    node.on('data', (chunk) => this.#pass(() => client.write(chunk)))
  }

  #pass(write: () => void): void {
    if (this.#isHolding) this.#held.push(write)
    else write()
  }
}
