import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Viewer } from '../../fleet/viewer.ts'
import type { SimAction as OperatorAction, SimStatus } from '../operators/operator.ts'
import type { SimActionKind } from '../sim-states.ts'
import type { ActionErrorCode, ActionState, SimActionRecord } from './sim-action.ts'

/** Violates `sim_actions_live` where another one of the SIM is live. */
export async function insertAction(db: Db, action: SimActionRecord): Promise<void> {
  await db.query(
    `insert into sim_actions
       (reseller_id, action_id, sim_id, connection_id, sub_client_id, kind, status_from, status_to, operator_action, operator_from,
        operator_plan, state, custody_until, reason, source, actor_type, actor_id, other_jobs, send_count, look_count, requested_at, hold_invoice_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, 0, 0, $19, $20)`,
    [
      ...[action.resellerId, action.actionId, action.simId, action.connectionId, action.subClientId ?? null, action.kind],
      ...[action.statusFrom, action.statusTo, action.operatorAction ?? null, action.operatorFrom ?? null, action.operatorPlan ?? null],
      ...[action.state, action.custodyUntil ?? null, action.reason ?? null, action.source, action.actorType, action.actorId],
      ...[action.otherJobs, action.requestedAt, action.holdInvoiceId ?? null],
    ],
  )
}

export async function selectAction(db: Db, resellerId: string, actionId: string): Promise<SimActionRecord | undefined> {
  const { rows } = await db.query<ActionRow>('select * from sim_actions where reseller_id = $1 and action_id = $2', [resellerId, actionId])
  return rows[0] === undefined ? undefined : actionFromRow(rows[0])
}

export async function selectLiveAction(db: Db, resellerId: string, simId: string): Promise<SimActionRecord | undefined> {
  const { rows } = await db.query<ActionRow>(
    `select * from sim_actions where reseller_id = $1 and sim_id = $2 and state in ('intended', 'sending', 'running')`,
    [resellerId, simId],
  )
  return rows[0] === undefined ? undefined : actionFromRow(rows[0])
}

/** Newest first; one more than the page holds. To a viewer of one sub-client, what was asked while it had the SIM. */
export async function selectActions(
  db: Db,
  { resellerId, subClientPin }: Viewer,
  simId: string,
  page: PageRequest,
): Promise<SimActionRecord[]> {
  const { rows } = await db.query<ActionRow>(
    `select * from sim_actions
      where reseller_id = $1 and sim_id = $2 and ($3::text is null or sub_client_id = $3)
        and (requested_at < $4::timestamptz or (requested_at = $4::timestamptz and action_id < $5))
      order by requested_at desc, action_id desc
      limit $6`,
    [resellerId, simId, subClientPin ?? null, page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(actionFromRow)
}

export async function countActions(db: Db, { resellerId, subClientPin }: Viewer, simId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from sim_actions
      where reseller_id = $1 and sim_id = $2 and ($3::text is null or sub_client_id = $3)`,
    [resellerId, simId, subClientPin ?? null],
  )
  return rows[0]?.count ?? 0
}

/**
 * It is about to be sent. Whether it is for the caller to do: not where somebody else sent it, or settled it, since `action` was read. Jobs that
 * the operator had before are added to those that are known.
 */
export async function updateActionSending(
  db: Db,
  { resellerId, actionId, state, sendCount }: SimActionRecord,
  otherJobs: readonly string[],
  sentAt: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sim_actions
        set state = 'sending', sent_at = $5, send_count = send_count + 1,
            other_jobs = array(select distinct unnest(other_jobs || $6::text[]) order by 1)
      where reseller_id = $1 and action_id = $2 and state = $3 and send_count = $4`,
    [resellerId, actionId, state, sendCount, sentAt, otherJobs],
  )
  return rowCount === 1
}

/** The operator reported that it did nothing: it may be sent again. */
export async function updateActionUnsent(db: Db, { resellerId, actionId }: SimActionRecord, sendCount: number): Promise<void> {
  await db.query(
    `update sim_actions set state = 'intended' where reseller_id = $1 and action_id = $2 and state = 'sending' and send_count = $3`,
    [resellerId, actionId, sendCount],
  )
}

/** The operator took it, by this name. */
export async function updateActionRunning(db: Db, { resellerId, actionId }: SimActionRecord, job: string | undefined): Promise<void> {
  await db.query(
    `update sim_actions
        set state = 'running', job = coalesce($3, job), look_count = look_count + 1
      where reseller_id = $1 and action_id = $2 and state in ('sending', 'running')`,
    [resellerId, actionId, job ?? null],
  )
}

export async function updateActionLooked(db: Db, { resellerId, actionId }: SimActionRecord): Promise<void> {
  await db.query('update sim_actions set look_count = look_count + 1 where reseller_id = $1 and action_id = $2', [resellerId, actionId])
}

/** Whether it was live, and is over by this. The SIM is held. */
export async function updateActionSettled(
  db: Db,
  { resellerId, actionId }: SimActionRecord,
  outcome: { readonly job?: string | undefined; readonly error?: SimActionRecord['error'] },
  at: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sim_actions
        set state = case when $4::text is null then 'done' else 'failed' end, job = coalesce($3, job), error_code = $4, error_message = $5,
            settled_at = $6
      where reseller_id = $1 and action_id = $2 and state in ('intended', 'sending', 'running')`,
    [resellerId, actionId, outcome.job ?? null, outcome.error?.code ?? null, outcome.error?.message ?? null, at],
  )
  return rowCount === 1
}

type ActionRow = {
  reseller_id: string
  action_id: string
  sim_id: string
  connection_id: string
  sub_client_id: string | null
  kind: SimActionKind
  status_from: SimStatus
  status_to: SimStatus
  operator_action: OperatorAction | null
  operator_from: SimStatus | null
  operator_plan: string | null
  state: ActionState
  custody_until: Date | null
  reason: string | null
  hold_invoice_id: string | null
  source: 'request' | 'system'
  actor_type: string
  actor_id: string
  job: string | null
  other_jobs: string[]
  send_count: number
  look_count: number
  error_code: ActionErrorCode | null
  error_message: string | null
  requested_at: Date
  sent_at: Date | null
  settled_at: Date | null
}

function actionFromRow(row: ActionRow): SimActionRecord {
  return {
    resellerId: row.reseller_id,
    actionId: row.action_id,
    simId: row.sim_id,
    connectionId: row.connection_id,
    subClientId: row.sub_client_id ?? undefined,
    kind: row.kind,
    statusFrom: row.status_from,
    statusTo: row.status_to,
    operatorAction: row.operator_action ?? undefined,
    operatorFrom: row.operator_from ?? undefined,
    operatorPlan: row.operator_plan ?? undefined,
    state: row.state,
    custodyUntil: row.custody_until ?? undefined,
    reason: row.reason ?? undefined,
    holdInvoiceId: row.hold_invoice_id ?? undefined,
    source: row.source,
    actorType: row.actor_type,
    actorId: row.actor_id,
    job: row.job ?? undefined,
    otherJobs: row.other_jobs,
    sendCount: row.send_count,
    lookCount: row.look_count,
    error: row.error_code === null ? undefined : { code: row.error_code, message: row.error_message ?? '' },
    requestedAt: row.requested_at,
    sentAt: row.sent_at ?? undefined,
    settledAt: row.settled_at ?? undefined,
  }
}
