// What is changed of a SIM's allocation. Pure.

import type { Sim, SimUpdate } from '@roadworthy/contracts/sim-billing/sims'

/** What a person has chosen and not saved; null is none. A limit is a text while it is typed. */
export type AllocationEdits = {
  sub_client_id?: string | null
  device_id?: string | null
  plan_id?: string | null
  data_limit_mb?: string | number
}
type Allocated = Pick<Sim, 'sub_client_id' | 'device_id' | 'plan_id' | 'data_limit_mb'>

export function allocationChanges(sim: Allocated, { data_limit_mb: limitMb, ...ids }: AllocationEdits): SimUpdate {
  const given: SimUpdate = {
    ...ids,
    ...(limitMb === undefined ? {} : { data_limit_mb: typeof limitMb === 'number' ? limitMb : null }),
  }
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== sim[name as keyof Allocated]))
}

/** A device and its SIM are of one sub-client: with another one the device is not chosen any more, and back at the first it is as it was. */
export function subClientEdits(sim: Allocated, subClientId: string | null): AllocationEdits {
  return { sub_client_id: subClientId, device_id: subClientId === sim.sub_client_id ? sim.device_id : null }
}
