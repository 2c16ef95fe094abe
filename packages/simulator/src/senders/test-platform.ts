// For tests: a small HTTP server in the place of the platform, which remembers what it was asked and answers as it is set.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export type Asked = { method: string; path: string; key: string | undefined; body: Record<string, unknown> }
/** `hangUp` breaks the connection without an answer, after the request was read. */
export type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | 'hangUp'

export async function startTestPlatform(
  t: TestContext,
  reply: (asked: Asked, nth: number) => Reply,
): Promise<{ baseUrl: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    const one: Asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      key: request.headers['x-api-key']?.toString(),
      body: body === '' ? {} : JSON.parse(body),
    }
    asked.push(one)
    const answer = reply(one, asked.length)
    if (answer === 'hangUp') return request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.body ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

/** An answer to a batch in which everything was new. */
export function allAccepted(asked: Asked): Reply {
  const records = asked.body['records'] as unknown[]
  return {
    status: 200,
    body: { success: true, records_processed: records.length, records_rejected: 0, duplicates: 0, processing_time_ms: 1 },
  }
}
