// Ports for programs that take theirs as a setting, or must keep it when they start again.

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * Below every port that Linux (32768 to 60999), macOS and Windows (49152 to 65535, RFC 6335 §6) give to connections that go out. A port
 * from among those may be taken by a connection before the program listens on it, which happens on a machine with many connections.
 */
const LOWEST_PORT = 20_000
const HIGHEST_PORT = 32_000
const MOST_TRIES = 100

/** `count` ports of `host`, all different, on which nothing listened a moment ago. Rejects when there are not so many among a hundred. */
export async function findFreePorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  const probes: Server[] = []
  const ports: number[] = []
  try {
    for (let tries = 0; ports.length < count && tries < MOST_TRIES + count; tries++) {
      const port = randomInt(LOWEST_PORT, HIGHEST_PORT + 1)
      const probe = await listen(port, host)
      if (probe === undefined) continue
      // It stays open until all are found, so that none is found twice.
      probes.push(probe)
      ports.push(port)
    }
  } finally {
    await Promise.all(probes.map((probe) => probe[Symbol.asyncDispose]()))
  }
  if (ports.length < count) throw new Error(`${ports.length} of ${count} free ports found between ${LOWEST_PORT} and ${HIGHEST_PORT}`)
  return ports
}

export async function findFreePort(host?: string): Promise<number> {
  const [port] = await findFreePorts(1, host)
  return port as number
}

/** Whether nothing listens on it at this moment. */
export async function isPortFree(port: number, host: string): Promise<boolean> {
  const probe = await listen(port, host)
  await probe?.[Symbol.asyncDispose]()
  return probe !== undefined
}

/** Absent where something listens on it. Any other reason, such as an address of another machine, is thrown. */
async function listen(port: number, host: string): Promise<Server | undefined> {
  const probe = createServer().listen({ port, host, exclusive: true })
  try {
    await once(probe, 'listening')
    return probe
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')) return undefined
    throw error
  }
}
