// Calls that bring readings, which are no changes that the audit log records (`audit.test.ts`).

import { type callerAt, ok } from '../support/service.ts'
import type { Changes } from './audited-sim-changes.ts'

const EXTERNAL = '/api/external'
const PLATFORM = '/api/v1'

type Phone = { readonly device_id: string; readonly tracker_token: string }

export async function registerPhone(all: ReturnType<typeof callerAt>): Promise<Phone> {
  return ok<Phone>(await all('POST', `${EXTERNAL}/devices`, { body: { name: 'Phone', connection_method: 'osmand' } }))
}

export function readingCalls({ all, makeDevice }: { all: ReturnType<typeof callerAt>; makeDevice: () => Promise<string> }): Changes {
  const point = async () => ({ device_id: await makeDevice(), latitude: 12, longitude: 77 })
  const token = async () => (await registerPhone(all)).tracker_token
  return {
    sendTelemetry: [
      undefined,
      async (ask) => {
        ok(await ask('POST', `${PLATFORM}/telemetry`, { vehicleId: 'truck', vehicleSpeed: 3 }))
        return ask('POST', `${EXTERNAL}/telemetry`, { vehicle_id: 'truck', speed: 3 })
      },
    ],
    sendTelemetryBatch: [undefined, (ask) => ask('POST', `${EXTERNAL}/telemetry/batch`, [{ vehicle_id: 'truck', speed: 4 }])],
    sendTrackPoint: [undefined, async (ask) => ask('POST', `${EXTERNAL}/track`, await point())],
    sendTrackBatch: [undefined, async (ask) => ask('POST', `${EXTERNAL}/track/batch`, [await point()])],
    sendOsmandMessage: [undefined, async (ask) => ask('POST', `${EXTERNAL}/ingest/osmand`, { device_id: await token(), location: {} })],
    sendFreematicsPacket: [undefined, async (ask) => ask('POST', `${EXTERNAL}/ingest/freematics/${await token()}/post/dongle`)],
    forwardTraccarPosition: [
      undefined,
      async (ask) => ask('POST', `${EXTERNAL}/ingest/traccar`, { position: {}, device: { uniqueId: await makeDevice() } }),
    ],
    forwardFlespiMessages: [undefined, async (ask) => ask('POST', `${EXTERNAL}/ingest/flespi`, [{ ident: await makeDevice() }])],
  }
}
