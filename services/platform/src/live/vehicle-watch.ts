// The state of the vehicles of one reseller that somebody looks at: read each round by primary key, compared with the round before.

import type { VehicleChange } from '@roadworthy/contracts/platform-v1/live'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { isHeardFrom } from '../devices/device.ts'
import { type JudgedVehicle, selectJudgedVehicles } from '../predictions/health.read.sql.ts'
import { toPlatformVehicle } from '../predictions/platform-vehicle.ts'
import type { LiveStream } from './live-stream.ts'

export type VehicleWatchDeps = { readonly database: Database; readonly now: () => Date; readonly offlineAfterMs: number }

const IDS_PER_QUERY = 500

type Known = { readonly json: string; readonly subClientId: string | undefined }

export class VehicleWatch {
  readonly #deps: VehicleWatchDeps
  readonly #resellerId: string
  readonly #known = new Map<string, Known>()

  constructor(deps: VehicleWatchDeps, resellerId: string) {
    this.#deps = deps
    this.#resellerId = resellerId
  }

  /** One round for all streams of the reseller. */
  async round(streams: readonly LiveStream[], nowMs: () => number): Promise<void> {
    const wanted = new Set<string>()
    for (const { vehicleIds } of streams) for (const id of vehicleIds) wanted.add(id)
    for (const id of this.#known.keys()) if (!wanted.has(id)) this.#known.delete(id)
    const ids = [...wanted]
    for (let from = 0; from < ids.length; from += IDS_PER_QUERY) {
      const changed = await this.#read(ids.slice(from, from + IDS_PER_QUERY))
      for (const id of changed) for (const stream of streams) stream.noteChanged(id)
    }
    for (const stream of streams) this.#send(stream, nowMs())
  }

  /** Answers which of them are not as they were. */
  async #read(ids: readonly string[]): Promise<string[]> {
    const { database, now, offlineAfterMs } = this.#deps
    const vehicles = await selectJudgedVehicles(database.tenantPool(this.#resellerId), this.#resellerId, ids)
    const changed: string[] = []
    for (const vehicle of vehicles) {
      const { vehicleId, subClientId } = vehicle
      const json = JSON.stringify(changeOf(vehicle, isHeardFrom(vehicle.lastHeardAt, now(), offlineAfterMs)))
      const known = this.#known.get(vehicleId)
      if (known?.json === json && known.subClientId === subClientId) continue
      this.#known.set(vehicleId, { json, subClientId })
      changed.push(vehicleId)
    }
    return changed
  }

  #send(stream: LiveStream, nowMs: number): void {
    if (!stream.wantsMore || !stream.hasChanged) return
    const { subClientPin } = stream.caller
    const jsons: string[] = []
    for (const id of stream.takeChanged()) {
      const known = this.#known.get(id)
      if (known !== undefined && (subClientPin === undefined || known.subClientId === subClientPin)) jsons.push(known.json)
    }
    if (jsons.length > 0) stream.sendVehicles(jsons, nowMs)
  }
}

function changeOf(judged: JudgedVehicle, isOnline: boolean): VehicleChange {
  const { id, healthScore, healthStatus, riskLevel, scoredAt, lastReadingAt, openAlerts, online, location } = toPlatformVehicle(
    judged,
    isOnline,
  )
  return { id, healthScore, healthStatus, riskLevel, scoredAt, lastReadingAt, openAlerts, online, location }
}
