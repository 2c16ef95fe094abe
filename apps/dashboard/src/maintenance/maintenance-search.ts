export const maintenanceViews = ['overdue', 'due', 'planned', 'done', 'schedules', 'accuracy'] as const
export type MaintenanceView = (typeof maintenanceViews)[number]

export type MaintenanceSearch = { view?: MaintenanceView; vehicleId?: string; component?: string }

const MAX_LENGTH = 200

export function readMaintenanceSearch({ view, vehicleId, component }: Record<string, unknown>): MaintenanceSearch {
  const knownView = maintenanceViews.find((each) => each === view)
  return {
    ...(knownView === undefined ? {} : { view: knownView }),
    ...(isText(vehicleId) ? { vehicleId } : {}),
    ...(isText(component) ? { component } : {}),
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH
}
