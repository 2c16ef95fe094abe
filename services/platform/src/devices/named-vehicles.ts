// Vehicles that readings name and nobody registered. What is named in one turn of the event loop is created by one statement for each
// reseller; while that is under way the next one grows. One reseller that is waited for holds up no other.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { MAX_NAMED_VEHICLES } from '../fleet/vehicle.ts'
import { insertNamedVehicles, type NamedBy, type VehicleOwner } from '../fleet/vehicles.sql.ts'

const MAX_PER_STATEMENT = 1_000
/** That long nobody asks again after there was no room; a change to the reseller's vehicles ends it at once. */
const FULL_MS = 15_000
/** More would take connections from the transactions that store. */
const MAX_UNDER_WAY = 2

type Wish = {
  readonly reference: string
  readonly subClientId: string | undefined
  readonly by: NamedBy
  readonly limit: number
  readonly resolve: (vehicle: VehicleOwner | undefined) => void
  readonly reject: (error: unknown) => void
}

export class NamedVehicles {
  readonly #database: Database
  readonly #now: () => Date
  readonly #maxOfReseller: number
  /** By reseller, in the order in which they asked first. Those under way stand here too, without being asked again. */
  readonly #wishes = new Map<string, Wish[]>()
  readonly #underWay = new Set<string>()
  /** Of those under way: what they find may be from before the change. */
  readonly #changedMeanwhile = new Set<string>()
  readonly #fullUntilMs = new Map<string, number>()
  #isScheduled = false

  constructor(database: Database, now: () => Date, maxOfReseller = MAX_NAMED_VEHICLES) {
    this.#database = database
    this.#now = now
    this.#maxOfReseller = maxOfReseller
  }

  /**
   * The vehicle of a reference, created where there is none. Undefined where there is no room: `limit` is how many vehicles the reseller's
   * devices may create.
   */
  create(
    resellerId: string,
    wanted: { readonly reference: string; readonly subClientId: string | undefined; readonly by: NamedBy },
    limit: number,
  ): Promise<VehicleOwner | undefined> | undefined {
    if (wanted.by === 'device' && limit === 0) return undefined
    const fullUntilMs = this.#fullUntilMs.get(`${resellerId} ${wanted.by}`)
    if (fullUntilMs !== undefined && this.#now().getTime() < fullUntilMs) return undefined
    const { promise, resolve, reject } = Promise.withResolvers<VehicleOwner | undefined>()
    const wishes = this.#wishes.get(resellerId) ?? []
    this.#wishes.set(resellerId, wishes)
    wishes.push({ ...wanted, limit, resolve, reject })
    this.#schedule()
    return promise
  }

  /** There may be room again, of one reseller or of any. */
  forget(resellerId?: string): void {
    if (resellerId === undefined) this.#fullUntilMs.clear()
    else for (const by of ['reseller', 'device']) this.#fullUntilMs.delete(`${resellerId} ${by}`)
    for (const each of this.#underWay) if (resellerId === undefined || each === resellerId) this.#changedMeanwhile.add(each)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      for (const [resellerId, wishes] of this.#wishes) {
        if (this.#underWay.size >= MAX_UNDER_WAY) return
        if (this.#underWay.has(resellerId)) continue
        const batch = wishes.splice(0, MAX_PER_STATEMENT)
        if (wishes.length === 0) this.#wishes.delete(resellerId)
        void this.#store(resellerId, batch)
      }
    })
  }

  async #store(resellerId: string, batch: readonly Wish[]): Promise<void> {
    this.#underWay.add(resellerId)
    try {
      const limits = { ofReseller: this.#maxOfReseller, ofDevices: Math.max(0, ...batch.map(({ limit }) => limit)) }
      const named = batch.map(({ reference, subClientId, by }) => ({ vehicleId: newId('veh'), reference, subClientId, by }))
      const owners = await this.#database.tenant(resellerId, (db) => insertNamedVehicles(db, resellerId, named, limits, this.#now()))
      const isCurrent = !this.#changedMeanwhile.has(resellerId)
      for (const [i, { by, resolve }] of batch.entries()) {
        if (owners[i] === undefined && isCurrent) this.#fullUntilMs.set(`${resellerId} ${by}`, this.#now().getTime() + FULL_MS)
        resolve(owners[i])
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      this.#underWay.delete(resellerId)
      this.#changedMeanwhile.delete(resellerId)
      this.#schedule()
    }
  }
}
