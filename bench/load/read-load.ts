// Readers of an API: one or several connections, each asking again when it has its answer.

import http from 'node:http'

export type Reader = { readonly baseUrl: string; readonly apiKey: string }
export type Latencies = { readonly count: number; readonly p50Ms: number; readonly p95Ms: number; readonly p99Ms: number }

/** Runs `ask` `count` times over `connections`, each waiting for its answer; `ask` is timed as a whole. */
export async function timeReads(
  reader: Reader,
  { connections, count }: { connections: number; count: number },
  ask: (get: (path: string) => Promise<string>, nth: number) => Promise<void>,
): Promise<Latencies> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const latenciesMs: number[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < count) {
        const nth = next++
        const askedAt = performance.now()
        await ask((path) => get(agent, reader, path), nth)
        latenciesMs.push(performance.now() - askedAt)
      }
    }),
  )
  agent.destroy()
  return latenciesOf(latenciesMs)
}

/** Asks for a list page after page, to its end. Returns how many pages it had. */
export async function readAllPages(get: (path: string) => Promise<string>, path: string): Promise<number> {
  let pages = 1
  for (let cursor = endCursorOf(await get(path)); cursor !== undefined; pages++) cursor = endCursorOf(await get(`${path}&after=${cursor}`))
  return pages
}

/** Where the next page starts, found without parsing: the reader shares its processors with the service. */
function endCursorOf(body: string): string | undefined {
  const [, cursor, hasNextPage] = /"pagination":\{"endCursor":(?:"([\w-]+)"|null),"hasNextPage":(true|false)\}/.exec(body.slice(-600)) ?? []
  return hasNextPage === 'true' ? cursor : undefined
}

function get(agent: http.Agent, { baseUrl, apiKey }: Reader, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.get(new URL(path, baseUrl), { agent, headers: { 'x-api-key': apiKey } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('latin1')
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`${path} answered ${response.statusCode}: ${text.slice(0, 300)}`))
      })
    })
    request.on('error', reject)
  })
}

function latenciesOf(latenciesMs: readonly number[]): Latencies {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN) * 10) / 10
  return { count: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) }
}
