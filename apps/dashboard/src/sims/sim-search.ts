import type { SimStatus } from '../api/sim-queries.ts'
import { simStatuses } from './status-labels.ts'

export type SimSearch = { status?: SimStatus; search?: string }

/** As the service takes it: digits that stand anywhere in the ICCID, the number or the IMSI. */
const DIGITS = /^\d{3,20}$/

export function readSimSearch({ status, search }: Record<string, unknown>): SimSearch {
  const known = simStatuses.find((each) => each === status)
  const digits = String(search ?? '').replaceAll(/[\s-]/g, '')
  return { ...(known === undefined ? {} : { status: known }), ...(DIGITS.test(digits) ? { search: digits } : {}) }
}
