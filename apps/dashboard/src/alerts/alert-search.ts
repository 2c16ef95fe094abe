import type { AlertStatus } from '../api/queries.ts'

export const alertStatuses = ['open', 'acknowledged', 'resolved'] as const satisfies readonly AlertStatus[]

export type AlertSearch = { status?: AlertStatus }

export function readAlertSearch({ status }: Record<string, unknown>): AlertSearch {
  const known = alertStatuses.find((each) => each === status)
  return known === undefined ? {} : { status: known }
}
