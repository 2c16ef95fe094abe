import type { Db } from '@roadworthy/service-kit/postgres/db'

export type SimToAsk = {
  readonly simId: string
  readonly iccid: string
  readonly msisdn: string | undefined
  readonly cycleEnd: Date | undefined
}

type Range = {
  /** Only these, by id or ICCID. */
  readonly simIds: readonly string[] | undefined
  readonly afterSimId: string
  readonly limit: number
}

/** SIMs of a connection that are not terminated, by id. */
export async function selectSimsToAsk(
  db: Db,
  { resellerId, connectionId }: { readonly resellerId: string; readonly connectionId: string },
  { simIds, afterSimId, limit }: Range,
): Promise<SimToAsk[]> {
  const { rows } = await db.query<SimRow>(
    `select sim_id, iccid, msisdn, cycle_end
       from sims
      where reseller_id = $1 and connection_id = $2 and sim_id > $3 and status <> 'terminated'
        and ($4::text[] is null or sim_id = any ($4) or iccid = any ($4) or iccid_key = any (select left(i, 19) from unnest($4::text[]) i))
      order by sim_id
      limit $5`,
    [resellerId, connectionId, afterSimId, simIds ?? null, limit],
  )
  return rows.map(simFromRow)
}

/** SIMs that can have used something since they were last asked about, by id. */
export async function selectSimsToMeter(
  db: Db,
  { resellerId, connectionId }: { readonly resellerId: string; readonly connectionId: string },
  { simIds, afterSimId, limit, askedBefore }: Range & { readonly askedBefore: Date },
): Promise<SimToAsk[]> {
  const { rows } = await db.query<SimRow>(
    `select sim_id, iccid, msisdn, cycle_end
       from sims
      where reseller_id = $1 and connection_id = $2 and sim_id > $3
        and (status in ('test', 'active', 'suspended', 'safe_custody', 'terminating') or cycle_end > $6)
        and (usage_at is null or usage_at <= $6)
        and ($4::text[] is null or sim_id = any ($4) or iccid_key = any (select left(i, 19) from unnest($4::text[]) i))
      order by sim_id
      limit $5`,
    [resellerId, connectionId, afterSimId, simIds ?? null, limit, askedBefore],
  )
  return rows.map(simFromRow)
}

type SimRow = { sim_id: string; iccid: string; msisdn: string | null; cycle_end: Date | null }

function simFromRow(row: SimRow): SimToAsk {
  return { simId: row.sim_id, iccid: row.iccid, msisdn: row.msisdn ?? undefined, cycleEnd: row.cycle_end ?? undefined }
}
