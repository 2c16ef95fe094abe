import type { Db } from '@roadworthy/service-kit/postgres/db'

type Owner = { readonly resellerId: string; readonly subClientId: string }
type Page = { readonly afterSimId: string; readonly limit: number }

/**
 * Active SIMs of the sub-client that were not suspended for this invoice yet, by id: what the operator refused is asked for again. Those that were
 * activated by request while it holds are left: only the reseller can.
 */
export async function selectSimIdsToHold(
  db: Db,
  { resellerId, subClientId, invoiceId }: Owner & { readonly invoiceId: string },
  { afterSimId, limit }: Page,
): Promise<string[]> {
  const { rows } = await db.query<{ sim_id: string }>(
    `select s.sim_id
       from sims s
      where s.reseller_id = $1 and s.sub_client_id = $2 and s.sim_id > $4 and s.status = 'active'
        and not exists (select from sim_actions a where a.reseller_id = $1 and a.sim_id = s.sim_id and a.hold_invoice_id = $3
                           and a.state <> 'failed')
        and not exists (select from sim_holds h
                          join sim_actions a on a.reseller_id = $1 and a.sim_id = s.sim_id and a.sub_client_id = $2
                         where h.reseller_id = $1 and h.sub_client_id = $2 and h.invoice_id = $3
                           and a.kind = 'activate' and a.source = 'request' and a.state = 'done' and a.requested_at >= h.since)
      order by s.sim_id
      limit $5`,
    [resellerId, subClientId, invoiceId, afterSimId, limit],
  )
  return rows.map((row) => row.sim_id)
}

/** SIMs that are suspended because the sub-client owed, also those that another has by now, by id. */
export async function selectHeldSimIds(db: Db, { resellerId, subClientId }: Owner, { afterSimId, limit }: Page): Promise<string[]> {
  const { rows } = await db.query<{ sim_id: string }>(
    `select sim_id from sims
      where reseller_id = $1 and held_for = $2 and sim_id > $3 and status = 'suspended'
      order by sim_id
      limit $4`,
    [resellerId, subClientId, afterSimId, limit],
  )
  return rows.map((row) => row.sim_id)
}

/** Whether operators are still at suspending SIMs because the sub-client owed. */
export async function hasLiveHold(db: Db, { resellerId, subClientId }: Owner): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from sim_actions
      where reseller_id = $1 and sub_client_id = $2 and hold_invoice_id is not null and state in ('intended', 'sending', 'running')
      limit 1`,
    [resellerId, subClientId],
  )
  return rowCount === 1
}

/** Whether it is the first time. */
export async function insertHold(db: Db, hold: Owner & { readonly invoiceId: string; readonly since: Date }): Promise<boolean> {
  const { rowCount } = await db.query(
    'insert into sim_holds (reseller_id, sub_client_id, invoice_id, since) values ($1, $2, $3, $4) on conflict do nothing',
    [hold.resellerId, hold.subClientId, hold.invoiceId, hold.since],
  )
  return rowCount === 1
}

/** How many there were. */
export async function deleteHolds(db: Db, { resellerId, subClientId }: Owner): Promise<number> {
  const { rowCount } = await db.query('delete from sim_holds where reseller_id = $1 and sub_client_id = $2', [resellerId, subClientId])
  return rowCount ?? 0
}
