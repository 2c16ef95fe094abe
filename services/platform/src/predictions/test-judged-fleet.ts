// For tests only: a scored fleet behind the routes of both surfaces.

import assert from 'node:assert/strict'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { standingPlatformAlerts } from '../alerts/routes.platform-v1.ts'
import { deviceLinks } from '../devices/device-links.ts'
import { normalize } from '../ingest/normalize.ts'
import { loadAdviceBases } from '../maintenance/advice-bases.ts'
import { clearDue, markDue } from '../readings/due.sql.ts'
import { externalSurface, platformSurface } from '../surfaces/errors.ts'
import { healthPlatformRoutes } from './health.routes.platform-v1.ts'
import { predictionExternalRoutes } from './routes.external.ts'
import { predictionPlatformRoutes } from './routes.platform-v1.ts'
import { startBench } from './test-bench.ts'
import { startTestSurface } from './test-surface.ts'
import { vehiclePlatformRoutes } from './vehicle.routes.platform-v1.ts'

const window = { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 }

/** Of vehicles on the Platform API. */
export function vehicleRoutesOf(database: Database, now: () => Date) {
  return vehiclePlatformRoutes({
    database,
    now,
    offlineAfterMs: 300_000,
    deviceLinks,
    forgetDue: clearDue,
    markDue,
    fleetChanged: () => {},
  })
}

/** Two sub-clients with a vehicle each; the first one's runs hot and both are scored. */
export async function judgedFleet(t: CleanUp, database: Database, options: { engineUrl?: string } = {}) {
  const bench = await startBench(t, database, options)
  const quota = { left: Number.POSITIVE_INFINITY, meteredTo: [] as (string | undefined)[] }
  const { engine, now } = bench.deps
  const external = await startTestSurface(t, externalSurface, [
    predictionExternalRoutes({
      database,
      engine,
      now,
      readRecord: (record, receivedAtMs) => normalize(record, receivedAtMs, window).content,
      loadAdviceBases,
      consumePredictionQuota: async (_resellerId, count, subClientId) => {
        const granted = Math.min(count, quota.left)
        quota.left -= granted
        if (granted > 0) quota.meteredTo.push(subClientId)
        return granted
      },
    }),
  ])
  const platform = await startTestSurface(t, platformSurface, [
    vehicleRoutesOf(database, now),
    healthPlatformRoutes({ database, engine, now, standingAlerts: standingPlatformAlerts, loadAdviceBases }),
    predictionPlatformRoutes({ database }),
  ])
  await bench.addSubClient('north')
  await bench.addSubClient('south')
  const hot = await bench.addVehicle({ subClientId: 'north', externalRef: 'truck-1' })
  bench.clock.nowMs += 1000
  const cool = await bench.addVehicle({ subClientId: 'south' })
  await bench.report(hot, { signals: { coolantTempC: 110 } })
  await bench.report(cool, { signals: { coolantTempC: 90 } })
  assert.equal(await bench.score(), 2)
  const { resellerId } = bench
  return {
    bench,
    quota,
    hot,
    cool,
    external: external.as({ resellerId }),
    platform: platform.as({ resellerId }),
    pinned: (subClientPin: string) => ({
      external: external.as({ resellerId, subClientPin }),
      platform: platform.as({ resellerId, subClientPin }),
    }),
    stranger: { external: external.as({ resellerId: 'stranger' }), platform: platform.as({ resellerId: 'stranger' }) },
  }
}
