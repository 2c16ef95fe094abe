// What stands in front of a service in the real world: it serves the files of a page, passes calls of the API on, and at times does not.

import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { Readable } from 'node:stream'

export type Fault = 'reset' | 'unavailable' | 'lost answer' | 'redirect'
/** `POST /faults` has a list of what is to happen to the next calls, one each. */
export type FrontServer = {
  readonly url: string
  /** Method and path of the calls, with the key of a repeat. */
  readonly calls: { readonly call: string; readonly key: string | undefined }[]
}

const PAGE = `<!doctype html><meta charset="utf-8"><title>Scratch</title>
<script type="importmap">{"imports":{"@roadworthy/client":"/files/node_modules/@roadworthy/client/dist/roadworthy-client.js"}}</script>`

export async function startFrontServer(
  t: { after(cleanUp: () => void): void },
  given: { readonly service: string; readonly folder: string },
): Promise<FrontServer> {
  const faults: Fault[] = []
  const calls: FrontServer['calls'] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    if (path === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    else if (path.startsWith('/files/')) sendFile(join(given.folder, normalize(path.slice('/files'.length))), response)
    else if (path === '/faults') takeFaults(request, response, faults).catch(() => response.destroy())
    else {
      calls.push({ call: `${request.method} ${path}`, key: request.headers['idempotency-key']?.toString() })
      passOn(given.service, request, response, faults.shift()).catch(() => response.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
  }
}

function sendFile(path: string, response: ServerResponse): void {
  try {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(path))
  } catch {
    response.writeHead(404).end()
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function takeFaults(request: IncomingMessage, response: ServerResponse, faults: Fault[]): Promise<void> {
  faults.push(...(JSON.parse((await bodyOf(request)).toString()) as Fault[]))
  response.writeHead(204).end()
}

async function passOn(service: string, request: IncomingMessage, response: ServerResponse, fault: Fault | undefined): Promise<void> {
  const body = await bodyOf(request)
  if (fault === 'reset') return void request.socket.resetAndDestroy()
  if (fault === 'redirect') return void response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end()
  if (fault === 'unavailable') {
    response.writeHead(503, { 'content-type': 'text/html', 'retry-after': '1' }).end('<h1>Back soon</h1>')
    return
  }
  const headers = without(request.headers, ['host', 'connection', 'content-length', 'keep-alive'])
  const answer = await fetch(`${service}${request.url}`, {
    method: request.method ?? 'GET',
    headers,
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  })
  if (fault === 'lost answer') {
    await answer.arrayBuffer()
    return void request.socket.resetAndDestroy()
  }
  // It was unpacked on its way in.
  response.writeHead(
    answer.status,
    without(Object.fromEntries(answer.headers), ['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']),
  )
  if (answer.body === null) response.end()
  else
    Readable.fromWeb(answer.body)
      .on('error', () => response.destroy())
      .pipe(response)
}

const without = (headers: IncomingMessage['headers'], names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (names.includes(name) || value === undefined ? [] : [[name, String(value)]])),
  )
