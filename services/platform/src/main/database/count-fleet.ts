// What Prometheus is shown of the fleet of all resellers together.

import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { LoggedEvent } from '../../events/event.ts'
import type { Metrics } from '../http/metrics.ts'
import { countDevicesAcrossResellers, countVehiclesAcrossResellers } from './count-fleet.read.sql.ts'

/** Assumption: nobody is woken by a fleet that has grown within the minute. */
const EVERY_MS = 60_000

/** Counts once a minute, not for each question of Prometheus: a large fleet takes PostgreSQL tens of milliseconds. */
export function startCountingFleet(database: Database, { gaugeBy }: Metrics, log: Logger): Rounds {
  let devices: Readonly<Record<string, number>> = {}
  let vehicles: Readonly<Record<string, number>> = {}
  gaugeBy('fleet_devices', 'Devices by state, as of the last minute.', 'state', () => devices)
  gaugeBy('fleet_vehicles', 'Vehicles by health, as of the last minute.', 'health_status', () => vehicles)
  const count = async () => {
    devices = await countDevicesAcrossResellers(database.systemPool)
    vehicles = await countVehiclesAcrossResellers(database.systemPool)
    return EVERY_MS
  }
  return startRounds(count, EVERY_MS, (err) => log.warn({ err }, 'the fleet could not be counted for the metrics; it is tried again'))
}

export function countNewAlerts(events: readonly LoggedEvent[], { countAlert }: Pick<Metrics, 'countAlert'>): void {
  for (const { type, body } of events) {
    if (type === 'alert.created') countAlert((JSON.parse(body) as { data: { severity: string } }).data.severity)
  }
}
