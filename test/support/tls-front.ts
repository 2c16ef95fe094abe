// What ends TLS in front of the service, as an operator's reverse proxy does, with a certificate that can be replaced.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'

type Identity = { readonly certFile: string; readonly keyFile: string }

export type TlsFront = {
  readonly port: number
  /** Where requests go: the base URL of the service. */
  forwardTo(baseUrl: string): void
  /** For connections that are made from now on; those there are end. */
  show(identity: Identity): void
}

export async function startTlsFront(t: CleanUp, identity: Identity): Promise<TlsFront> {
  const read = ({ certFile, keyFile }: Identity) => ({ cert: readFileSync(certFile), key: readFileSync(keyFile) })
  let target = ''
  const server = createServer(read(identity), (incoming, outgoing) => {
    const { method, url = '/', headers } = incoming
    const forwarded = request(new URL(url, target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.closeAllConnections()
    await server[Symbol.asyncDispose]()
  })
  return {
    port: (server.address() as AddressInfo).port,
    forwardTo(baseUrl) {
      target = baseUrl
    },
    show(other) {
      server.setSecureContext(read(other))
      server.closeAllConnections()
    },
  }
}
