// How each surface returns each problem. The tables are total: a new problem code does not compile until every surface has decided.

import type { Surface } from '@roadworthy/service-kit/http/http'

const statuses = {
  invalid_request: 400,
  batch_too_large: 400,
  vehicle_of_other_sub_client: 400,
  invalid_api_key: 401,
  invalid_signature: 401,
  missing_scope: 403,
  subscription_required: 403,
  quota_exceeded: 403,
  sub_client_suspended: 403,
  device_suspended: 403,
  not_found: 404,
  device_not_found: 404,
  no_location: 404,
  method_not_allowed: 405,
  already_exists: 409,
  device_exists: 409,
  device_decommissioned: 409,
  conflict: 409,
  invalid_transition: 409,
  sim_action_in_progress: 409,
  invoice_already_paid: 409,
  invoice_overdue: 409,
  idempotency_in_progress: 409,
  idempotency_conflict: 422,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limit_exceeded: 429,
  models_not_loaded: 503,
  license_invalid: 503,
  overloaded: 503,
  draining: 503,
  unavailable: 503,
  server_error: 500,
} as const

type Table = Surface['errors']

/** Spec gap §7.4: the External API's error body and its 403 codes. */
export const externalSurface: Surface = {
  name: 'external',
  errors: Object.fromEntries(Object.entries(statuses).map(([code, status]) => [code, { status, code }])) as Table,
  envelope: (error) => ({ success: false, error }),
}

/** SIMs, invoices and payments (Spec gap §2.10): returned as the External API returns it. */
export const simBillingSurface: Surface = { ...externalSurface, name: 'sim-billing' }

/** Spec §7.1 names one code for each of 400, 401, 404, 429 and 500; the finer External codes fold into them. */
export const platformSurface: Surface = {
  name: 'platform-v1',
  errors: {
    ...externalSurface.errors,
    batch_too_large: { status: 400, code: 'invalid_request' },
    vehicle_of_other_sub_client: { status: 400, code: 'invalid_request' },
    device_not_found: { status: 404, code: 'not_found' },
    no_location: { status: 404, code: 'not_found' },
  },
  envelope: (error) => ({ error }),
}
