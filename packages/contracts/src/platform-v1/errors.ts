import { type Static, Type } from 'typebox'
import { errorResponsesOf, sharedErrorExamples } from '../error-responses.ts'

/** Spec §7.1, with the fields that the External API's error object adds. */
export const PlatformError = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: 'Stable and meant for programs.' }),
      message: Type.String({ description: 'Meant for people; may change.' }),
      request_id: Type.String({ description: 'Also in the header `X-Request-Id`.' }),
      details: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'For example `field` or `required_scope`.' })),
      action_required: Type.Optional(Type.String({ description: 'What lets the caller in: `subscribe` or `upgrade_plan`.' })),
      retry_after: Type.Optional(Type.Integer({ minimum: 1, description: 'Seconds; also in the header `Retry-After`.' })),
    }),
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
