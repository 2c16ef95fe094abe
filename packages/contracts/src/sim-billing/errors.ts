import { errorResponsesOf, sharedErrorExamples } from '../error-responses.ts'
import { ExternalError } from '../external/errors.ts'

/** As of the External API, whose error body this surface has. Name only the route's own statuses. */
export const errorResponses = errorResponsesOf({
  schema: ExternalError,
  envelope: (error) => ({ success: false, error }),
  examples: {
    ...sharedErrorExamples,
    401: [
      ...sharedErrorExamples[401],
      { code: 'invalid_signature', message: 'The signature is not of this body and this connection, or too old.' },
    ],
    409: [
      ...sharedErrorExamples[409],
      {
        code: 'invalid_transition',
        message: 'A SIM in safe custody cannot be suspended. Activate it first.',
        details: { status: 'safe_custody', action: 'suspend', possible: ['active', 'terminating'] },
      },
      {
        code: 'sim_action_in_progress',
        message: 'The operator is still at another action of this SIM.',
        details: { pending_action: 'suspend' },
      },
      { code: 'invoice_already_paid', message: 'This invoice is paid.' },
      {
        code: 'invoice_overdue',
        message: 'SIMs are not activated while an invoice is overdue for so long: pay INV-17 first.',
        details: { invoice_ids: ['inv-3k8f2m9x4c7v1b6n5q0z'] },
      },
    ],
  },
})
