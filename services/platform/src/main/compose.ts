// Wires the platform from plain arguments: what is made here is handed to the parts that use it, and to nothing else.

import { type DatabaseUrls, openDatabase } from '@roadworthy/service-kit/db'
import { createHttpApp } from '@roadworthy/service-kit/http'
import type { Logger } from '@roadworthy/service-kit/log'
import type { PlatformSettings } from './settings.ts'

export type PlatformOptions = {
  readonly settings: PlatformSettings
  readonly databaseUrls: DatabaseUrls
  readonly engineUrl: string
  readonly log: Logger
  readonly now: () => Date
}

export type RunningPlatform = {
  /** The ports in use, which differ from the settings where those are 0. */
  readonly ports: { http: number; mqtt: number | undefined; mqttTls: number | undefined; metrics: number | undefined }
  /** Turns `/readyz` to 503, stops accepting, drains what was accepted, closes every connection. */
  stop(): Promise<void>
}

/** Resolves when every door is open. */
export async function startPlatform({ settings, databaseUrls, log }: PlatformOptions): Promise<RunningPlatform> {
  const database = openDatabase(databaseUrls, {
    appConnections: 10,
    systemConnections: 5,
    onError: (err) => log.warn({ err }, 'an idle database connection was lost'),
  })
  const app = createHttpApp({ logger: log, trustProxy: settings.trustProxy })
  app.get('/livez', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const isReady = await database.ping()
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'unavailable', checks: { database: isReady } })
  })
  await app.listen({ host: settings.host, port: settings.port })
  const address = app.server.address()
  const http = address !== null && typeof address === 'object' ? address.port : settings.port
  return {
    ports: { http, mqtt: undefined, mqttTls: undefined, metrics: undefined },
    stop: async () => {
      await app.close()
      await database.close()
    },
  }
}
