// What can be done with SIMs (Spec gap §2.10, §3), one by one and many at once.

import { type Static, Type } from 'typebox'
import { reference, success } from '../external/references.ts'
import { nullable, Pagination, timestamp, timestampExample, total } from '../wire-fields.ts'
import { actionIdExample, nullableText, Sim, simActionKinds, simChangeSource, simExample, simIdExample, simStatus } from './sims.ts'

/** What a caller can ask for; the others happen when a date comes. */
const actionNames = ['activate', 'suspend', 'safe_custody', 'terminate'] as const

const reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  description: 'For people; it stands in the history.',
  examples: ['Stolen'],
})
const count = (description: string) => Type.Integer({ minimum: 0, description })

const actionExample = {
  action_id: actionIdExample,
  sim_id: simIdExample,
  action: 'suspend' as const,
  state: 'pending' as const,
  status_from: 'active' as const,
  status_to: 'suspended' as const,
  reason: 'Stolen',
  source: 'request' as const,
  operator_job: null,
  error: null,
  requested_at: timestampExample,
  settled_at: null,
}

const SimAction = Type.Object(
  {
    action_id: Type.String(),
    sim_id: Type.String(),
    action: Type.Enum([...simActionKinds], { type: 'string' }),
    state: Type.Enum(['pending', 'done', 'failed'], { type: 'string' }),
    status_from: simStatus,
    status_to: simStatus,
    reason: nullableText('As it was given.'),
    source: simChangeSource,
    operator_job: nullableText('The operator’s own name for it.'),
    error: nullable(
      Type.Object(
        {
          code: Type.String({ description: '`rejected`, `auth`, `not_found`, `timed_out`, `outcome_unknown`' }),
          message: Type.String({ description: 'In the operator’s words where it gave some.' }),
        },
        { title: 'SimActionProblem' },
      ),
    ),
    requested_at: timestamp('When it was asked for.'),
    settled_at: nullable(timestamp('When it was over.')),
  },
  {
    title: 'SimAction',
    examples: [actionExample],
  },
)
export type SimAction = Static<typeof SimAction>
export const SimActionList = Type.Object(
  { total, actions: Type.Array(SimAction), pagination: Pagination },
  { title: 'SimActionList', description: 'A page of what was asked of the operator, newest first.' },
)

export const SimActionAnswer = Type.Object(
  {
    success,
    sim: Sim,
    action: Type.Union([SimAction, Type.Null()]),
  },
  {
    title: 'SimActionAnswer',
    examples: [
      { success: true, sim: { ...simExample, pending_action: 'suspend', pending_since: timestampExample }, action: actionExample },
    ],
    description: 'The SIM, with the action pending. `action` is null where the SIM was in that state already and nothing is to be done.',
  },
)
export type SimActionAnswer = Static<typeof SimActionAnswer>

const mode = Type.Enum(['live', 'test'], {
  type: 'string',
  default: 'live',
  description: '`test`: on the operator’s free allowance, where it has one.',
})
const ratePlan = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The operator’s plan that it is to have; left out: the one it has, or had before safe custody.',
})
const custody = {
  until: Type.Optional(timestamp('When it is to end by itself.')),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 365, description: 'The same, in days from now. Left out: as long as the connection allows.' }),
  ),
}

export const SimActivate = Type.Object(
  { mode: Type.Optional(mode), rate_plan: Type.Optional(ratePlan), reason: Type.Optional(reason) },
  {
    title: 'SimActivate',
    description: 'Also resumes a SIM that is suspended, in safe custody, or terminating.',
    examples: [{ mode: 'live' }],
  },
)
export const SimSuspend = Type.Object({ reason: Type.Optional(reason) }, { title: 'SimSuspend', examples: [{ reason: 'Stolen' }] })
export const SimSafeCustody = Type.Object(
  { ...custody, reason: Type.Optional(reason) },
  { title: 'SimSafeCustody', examples: [{ days: 60, reason: 'Winter' }] },
)
export const SimTerminate = Type.Object(
  { reason: Type.Optional(reason) },
  { title: 'SimTerminate', examples: [{ reason: 'Vehicle sold' }] },
)

const MAX_BULK = 500
export const SimBulk = Type.Object(
  {
    sim_ids: Type.Array(reference('SIM id, ICCID or number.', simIdExample), { minItems: 1, maxItems: MAX_BULK }),
    action: Type.Enum([...actionNames], { type: 'string' }),
    mode: Type.Optional(mode),
    rate_plan: Type.Optional(ratePlan),
    ...custody,
    reason: Type.Optional(reason),
  },
  { title: 'SimBulk', examples: [{ sim_ids: [simIdExample], action: 'suspend', reason: 'Unpaid' }] },
)
export type SimBulk = Static<typeof SimBulk>
export const SimBulkAnswer = Type.Object(
  {
    success: Type.Boolean({ description: 'Whether every SIM was taken.' }),
    accepted: count('For which the operator is asked.'),
    unchanged: count('That were in that state already.'),
    refused: count('See their error.'),
    results: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ minimum: 0, description: 'In `sim_ids`.' }),
          sim_id: nullable(Type.String({ description: 'Of the SIM that was found.' })),
          status: Type.Enum(['accepted', 'unchanged', 'refused'], { type: 'string' }),
          action_id: nullableText('Of one that was accepted.'),
          error: nullable(
            Type.Object(
              {
                code: Type.String(),
                message: Type.String(),
                details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
              },
              { title: 'ItemProblem' },
            ),
          ),
        },
        { title: 'SimBulkResult' },
      ),
      { description: 'One for each of `sim_ids`, in their order.' },
    ),
  },
  {
    title: 'SimBulkAnswer',
    description: 'What became of each.',
    examples: [
      {
        success: true,
        accepted: 1,
        unchanged: 0,
        refused: 0,
        results: [{ index: 0, sim_id: simIdExample, status: 'accepted', action_id: actionIdExample, error: null }],
      },
    ],
  },
)
export type SimBulkAnswer = Static<typeof SimBulkAnswer>
