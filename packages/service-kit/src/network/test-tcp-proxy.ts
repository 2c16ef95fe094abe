// A TCP proxy for tests: what stands behind it can go away for a while, or stop hearing, without being touched itself.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export type TcpProxy = {
  readonly port: number
  /** Ends every connection, and refuses new ones until `open`. */
  close(): void
  open(): void
  /** What clients send goes nowhere from now on; what they are sent still arrives. Ends with the connections. */
  deafen(): void
}

export async function startTcpProxy(t: Pick<TestContext, 'after'>, targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<{ client: Socket; target: Socket }>()
  let isOpen = true
  const server = createServer((client) => {
    if (!isOpen) return void client.destroy()
    const target = connect(targetPort, '127.0.0.1')
    const pair = { client, target }
    pairs.add(pair)
    client.pipe(target)
    target.pipe(client)
    for (const socket of [client, target]) {
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        target.destroy()
        pairs.delete(pair)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    isOpen = false
    for (const { client } of pairs) client.destroy()
  }
  t.after(() => {
    close()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    close,
    open: () => {
      isOpen = true
    },
    deafen: () => {
      for (const { client, target } of pairs) client.unpipe(target).resume()
    },
  }
}
