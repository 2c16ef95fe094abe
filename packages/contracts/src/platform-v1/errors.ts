import { type Static, Type } from 'typebox'
import { errorFields, errorResponsesOf, sharedErrorExamples } from '../error-responses.ts'

/** Spec §7.1, with the fields that the External API's error object adds. */
export const PlatformError = Type.Object(
  {
    error: errorFields,
  },
  { title: 'PlatformError' },
)
export type PlatformError = Static<typeof PlatformError>

/**
 * The error responses of a route, to spread into `schema.response`. Those that every route can answer are always among them, and the
 * surface adds what its methods can answer (413, 415 with a body; 409, 422 for `Idempotency-Key` on POST): name only the route's own.
 */
export const errorResponses = errorResponsesOf({
  schema: PlatformError,
  envelope: (error) => ({ error }),
  examples: sharedErrorExamples,
})
