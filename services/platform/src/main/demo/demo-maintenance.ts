// Maintenance of the demo: services that are overdue, due soon and not due yet, planned work, and work that was done. A vehicle that has any of its own
// is left alone, so that a start that is killed goes on where the one before was, and nothing is made twice.

import type { CreateMaintenanceRequest } from '@roadworthy/contracts/platform-v1/maintenance'
import type { DemoApi } from './demo-api.ts'

const DAY_MS = 86_400_000
/** A service once a year, as makers of vans and lorries ask at least. */
const SERVICE = { component: 'lubrication', title: 'Oil and filter', every: { days: 365 } } as const

type Work = Omit<CreateMaintenanceRequest, 'vehicleId'>

/** Of the vehicles of the fleet in the order of their devices: when each was serviced last, in days ago. */
const SERVICED_DAYS_AGO: Readonly<Record<number, number>> = { 1: 372, 4: 358, 10: 353, 2: 200, 5: 140, 8: 90, 11: 30 }

function works(now: Date): Readonly<Record<number, Work>> {
  const day = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString()
  const cost = (amount_minor: number) => ({ amount_minor, currency: 'EUR' })
  return {
    7: { component: 'brakes', status: 'planned', dueAt: day(4), notes: 'Front pads and discs' },
    13: { component: 'battery', status: 'planned', dueAt: day(12), notes: 'Before winter' },
    12: { component: 'battery', status: 'completed', completedAt: day(-40), condition_found: 'worn', cost: cost(24_900) },
    14: {
      component: 'brakes',
      status: 'completed',
      completedAt: day(-90),
      condition_found: 'worn',
      cost: cost(41_200),
      notes: 'Front axle',
    },
    16: {
      ...{ component: 'cooling', status: 'completed', completedAt: day(-20), condition_found: 'sound', renewed: false },
      notes: 'Checked for leaks, none found',
    },
  }
}

/** `vehicleIds`: of the demo fleet, in the order of their devices. */
export async function makeMaintenance(api: DemoApi, vehicleIds: readonly string[], now: Date): Promise<void> {
  const planned = works(now)
  for (const [nth, vehicleId] of vehicleIds.entries()) {
    const daysAgo = SERVICED_DAYS_AGO[nth]
    if (daysAgo !== undefined && (await totalOf(api, '/v1/maintenance/schedules', vehicleId)) === 0) {
      const last = { at: new Date(now.getTime() - daysAgo * DAY_MS).toISOString() }
      await api.call('POST', '/v1/maintenance/schedules', { vehicleId, ...SERVICE, last })
    }
    const work = planned[nth]
    if (work !== undefined && (await totalOf(api, '/v1/maintenance', vehicleId)) === 0) {
      await api.call('POST', '/v1/maintenance', { vehicleId, ...work })
    }
  }
}

async function totalOf(api: DemoApi, path: string, vehicleId: string): Promise<number> {
  return (await api.call<{ total: number }>('GET', `${path}?limit=1&vehicleId=${encodeURIComponent(vehicleId)}`)).total
}
