// A refusal that names a field is shown beside that field; `Refusal` shows the others.

import { ApiError } from '../api/client.ts'

/** What the service reports of this field, named as in the body that was sent: `issuer.name`. */
export function refusalOf(error: Error | null, field: string): string | undefined {
  return fieldOf(error) === field ? error?.message : undefined
}

/** Null where one of these fields shows it. */
export function refusalElsewhere(error: Error | null, fields: readonly string[]): Error | null {
  const field = fieldOf(error)
  return field !== undefined && fields.includes(field) ? null : error
}

function fieldOf(error: Error | null): string | undefined {
  const field = error instanceof ApiError ? error.details['field'] : undefined
  return typeof field === 'string' ? field : undefined
}
