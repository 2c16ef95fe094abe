import { type Static, Type } from 'typebox'
import { errorFields, errorResponsesOf, sharedErrorExamples } from '../error-responses.ts'

/** Spec gap §7.4: the error body of the External API. */
export const ExternalError = Type.Object(
  {
    success: Type.Literal(false),
    error: errorFields,
  },
  { title: 'ExternalError' },
)
export type ExternalError = Static<typeof ExternalError>

/**
 * The error responses of a route, to spread into `schema.response`. Those that every route can answer are always among them, and the
 * surface adds what its methods can answer (413, 415 with a body; 409, 422 for `Idempotency-Key` on POST): name only the route's own.
 */
export const errorResponses = errorResponsesOf({
  schema: ExternalError,
  envelope: (error) => ({ success: false, error }),
  examples: {
    ...sharedErrorExamples,
    404: [
      ...sharedErrorExamples[404],
      { code: 'device_not_found', message: 'No device has this id or IMEI.', details: { device_id: 'dev-unknown' } },
      { code: 'no_location', message: 'The device has not reported a position yet.' },
    ],
    409: [
      ...sharedErrorExamples[409],
      { code: 'device_exists', message: 'A device with this IMEI is registered already.' },
      {
        code: 'device_decommissioned',
        message: 'The device is decommissioned: it can be moved to another sub-client, and nothing else. Register it anew.',
      },
    ],
  },
})
