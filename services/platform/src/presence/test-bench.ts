// For tests only: processes that publish who is online, over a real PostgreSQL, with a clock moved by hand. Readings come through the writer of ingest, and
// the External API can be asked beside them.

import assert from 'node:assert/strict'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { type FleetApp, openFleetApp } from '../test-fleet-app.ts'
import { LiveConnections } from './live-connections.ts'
import { createConnectionRound, createPresenceRounds } from './presence-rounds.ts'

export const limits = { offlineAfterMs: 300_000, reconnectWithinMs: 30_000 }

export type Published = {
  readonly type: string
  readonly reason: string
  readonly subClientId: string | null
  readonly data: Record<string, unknown>
  readonly at: Date
}

/** A process of the service: what is connected to it, and its rounds. */
export type Listener = {
  readonly connections: LiveConnections
  /** Rounds until there is nothing left for now. */
  rounds(): Promise<void>
}

export type PresenceBench = FleetApp & {
  start(now?: () => Date): Listener
  /** One that has been listening for as long as it takes to be believed. */
  startListening(): Promise<Listener>
  /** Moves the clock in the steps of a service that works, with rounds at each. */
  pass(seconds: number, ...listeners: Listener[]): Promise<void>
  /** Registers a device of acme; its id. */
  register(fields?: Record<string, unknown>): Promise<string>
  /** A device of acme reports something now. */
  report(deviceId: string, content?: Parameters<FleetApp['hear']>[2], vehicleId?: string): Promise<void>
  /** A device of acme connects; answers what closes the connection. */
  connect(listener: Listener, deviceId: string): () => void
  /** What was published of a device, in order. */
  published(deviceId: string): Promise<Published[]>
  /** The same, in short: `online data`. */
  reasons(deviceId: string): Promise<string[]>
  shownOnline(deviceId: string): Promise<boolean>
}

export async function openPresenceBench(t: CleanUp): Promise<PresenceBench> {
  const app = await openFleetApp(t, ['acme', 'rival'])
  const { database, clock, query } = app
  const start = (now = () => clock.now): Listener => {
    const connections = new LiveConnections(() => now().getTime())
    const deps = { database, limits, now: async () => now() }
    const [write, { publish }] = [createConnectionRound({ ...deps, connections }), createPresenceRounds(deps)]
    return {
      connections,
      rounds: async () => {
        while ((await write()) === 0 || (await publish()) === 0);
      },
    }
  }
  const pass = async (seconds: number, ...listeners: Listener[]) => {
    const end = clock.now.getTime() + seconds * 1_000
    while (clock.now.getTime() < end) {
      clock.now = new Date(Math.min(end, clock.now.getTime() + 5_000))
      for (const each of listeners) await each.rounds()
    }
  }
  const published = async (deviceId: string): Promise<Published[]> => {
    const rows = await query(
      `select type, sub_client_id, data, occurred_at from event_outbox where data->>'deviceId' = $1 and type like 'device.o%' order by outbox_id`,
      deviceId,
    )
    return rows.map((row) => {
      const data = row['data'] as Record<string, unknown>
      return {
        ...{ type: String(row['type']), reason: String(data['reason']), data },
        ...{ subClientId: row['sub_client_id'] as string | null, at: row['occurred_at'] as Date },
      }
    })
  }
  return {
    ...app,
    start,
    startListening: async () => {
      const listener = start()
      await listener.rounds()
      await pass(300, listener)
      return listener
    },
    pass,
    register: async (fields = {}) => {
      const { status, body } = await app.as('acme')('POST', '/devices', { name: 'a dongle', ...fields })
      assert.equal(status, 200, JSON.stringify(body))
      return body.device_id
    },
    report: (deviceId, content = {}, vehicleId = undefined) => app.hear('acme', deviceId, content, clock.now, vehicleId),
    connect: (listener, deviceId) => listener.connections.open({ resellerId: 'acme', deviceId }),
    published,
    reasons: async (deviceId) => (await published(deviceId)).map(({ type, reason }) => `${type.slice('device.'.length)} ${reason}`),
    shownOnline: async (deviceId) => (await app.as('acme')('GET', `/devices/${deviceId}`)).body.device.online,
  }
}
