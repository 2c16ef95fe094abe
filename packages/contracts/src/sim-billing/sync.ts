// Spec §4.1: synchronisation with the operators' platforms.

import { type Static, Type } from 'typebox'
import { success } from '../external/references.ts'
import { nullable, timestamp, timestampExample } from '../wire-fields.ts'

export const syncScopes = ['all', 'sims', 'usage', 'invoices'] as const
const MAX_SYNC_SIMS = 500

const syncIdExample = 'syn-3f8k1m6q9t2w5z8c1v4b'
const count = (description: string) => Type.Integer({ minimum: 0, description })
const scope = Type.Enum([...syncScopes], {
  type: 'string',
  description:
    '`sims`: which SIMs there are, and their states. `usage`: what they used in the cycle that runs. `invoices`: drafts of months that are over, which are made within seconds after the answer. `all` of these.',
})

export const SyncRequest = Type.Object(
  {
    scope: Type.Optional({ ...scope, default: 'all' }),
    full: Type.Optional(
      Type.Boolean({ default: false, description: 'Every SIM, not only those that changed at the operator since the last time.' }),
    ),
    sim_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: MAX_SYNC_SIMS,
        description: 'Only these, by id or ICCID.',
      }),
    ),
    connection_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only this connection.' })),
  },
  { title: 'SyncRequest', examples: [{ scope: 'all' }] },
)
export type SyncRequest = Static<typeof SyncRequest>

const syncExample = {
  id: syncIdExample,
  status: 'completed' as const,
  scope: 'all' as const,
  full: false,
  connection_id: null,
  started_at: timestampExample,
  finished_at: timestampExample,
  sims: { seen: 120, created: 2, updated: 3, unchanged: 115, failed: 0 },
  usage: { updated: 87 },
  errors: [],
}

export const Sync = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum(['running', 'completed', 'partial', 'failed'], {
      type: 'string',
      description: '`partial`: some SIMs or connections could not be synchronised; see `errors`. `failed`: none could.',
    }),
    scope,
    full: Type.Boolean(),
    connection_id: nullable(Type.String({ description: 'The only connection that is asked; null: all that are enabled.' })),
    started_at: timestamp('When it was asked for.'),
    finished_at: nullable(timestamp('When it was over.')),
    sims: Type.Object(
      {
        seen: count('That the operators listed.'),
        created: count('That were not known.'),
        updated: count('That had changed.'),
        unchanged: count('That were as they are known.'),
        failed: count('Of which the operator’s answer could not be used, or came not at all.'),
      },
      { title: 'SyncedSims' },
    ),
    usage: Type.Object({ updated: count('SIMs whose counters rose.') }, { title: 'SyncedUsage' }),
    errors: Type.Array(
      Type.Object(
        {
          iccid: nullable(Type.String({ description: 'Null where it is about a whole connection.' })),
          connection_id: nullable(Type.String()),
          code: Type.String({
            description:
              '`auth`, `rate`, `not_found`, `rejected` or `unavailable`, as the operator answered; `refused`: a row that cannot be used.',
          }),
          message: Type.String(),
        },
        { title: 'SyncProblem' },
      ),
      { description: 'The first hundred.' },
    ),
  },
  {
    title: 'Sync',
    description: 'A run of the synchronisation.',
    examples: [syncExample],
  },
)
export type Sync = Static<typeof Sync>

export const SyncAnswer = Type.Object(
  {
    success,
    sync: Sync,
    already_running: Type.Boolean({ description: 'It was asked for before, and this is that run: there is one at a time.' }),
  },
  {
    title: 'SyncAnswer',
    description: 'The run when it was over, or after ten seconds as far as it is: ask `GET /sync/{id}` then.',
    examples: [{ success: true, sync: syncExample, already_running: false }],
  },
)
export const SyncShown = Type.Object(
  { success, sync: Sync },
  {
    title: 'SyncShown',
    description: 'The run as far as it is.',
    examples: [{ success: true, sync: syncExample }],
  },
)
export const LatestSync = Type.Object(
  { success, sync: Type.Union([Sync, Type.Null()]) },
  { title: 'LatestSync', description: 'The newest run; null before the first.', examples: [{ success: true, sync: syncExample }] },
)
export const SyncParams = Type.Object({ sync_id: Type.String({ minLength: 1, maxLength: 200, examples: [syncIdExample] }) })
