// How well what the models take for normal fits the fleet: what they found unlike normal, and how people judged it.

import type { Db } from '@roadworthy/service-kit/postgres/db'

export type FitRow = {
  /** Vehicles whose newest score is not older than `since`. */
  readonly judged: number
  readonly unusual: number
  /** Of those: nothing else that was found in the readings explains it. */
  readonly unexplained: number
  /** None of their readings could be judged. */
  readonly unjudgeable: number
  readonly confidence: number | null
}

/**
 * Alerts that explain no unusual reading: the one that reports it, of which the engine makes an incident too, and a life that ends, which no reading
 * shows.
 */
const EXPLAIN_NOTHING = ['unusual_reading', 'life_ending']

export async function selectFit(db: Db, resellerId: string, since: Date, subClientPin: string | undefined): Promise<FitRow> {
  const { rows } = await db.query<FitRow>(
    `with judged as (
       select h.vehicle_id, h.confidence,
              coalesce((h.result->'predictions'->>'anomalyDetected')::boolean, false) as is_unusual,
              coalesce(jsonb_array_length(h.result->'predictions'->'anomalyBasis') = 0, false) as is_unjudgeable
         from vehicle_health h
         join vehicles v on v.reseller_id = h.reseller_id and v.vehicle_id = h.vehicle_id
        where h.reseller_id = $1 and h.scored_at >= $2 and v.status = 'active'
          and ($3::text is null or v.sub_client_id = $3))
     select count(*)::int as judged,
            count(*) filter (where is_unusual)::int as unusual,
            count(*) filter (where is_unusual and not exists (
              select from alerts a
               where a.reseller_id = $1 and a.vehicle_id = judged.vehicle_id and a.source = 'engine' and a.status <> 'resolved'
                 and a.type <> all ($4::text[])))::int as unexplained,
            count(*) filter (where is_unjudgeable)::int as unjudgeable,
            avg(confidence) as confidence
       from judged`,
    [resellerId, since, subClientPin ?? null, EXPLAIN_NOTHING],
  )
  return rows[0] as FitRow
}

export type ClosedRow = { readonly closed: number; readonly falseAlarms: number }

/** Incidents of readings that people closed, work on record included: those that ended by themselves show nothing of the models. */
export async function selectClosedIncidents(
  db: Db,
  resellerId: string,
  { from, to }: { from: Date; to: Date },
  subClientPin: string | undefined,
): Promise<ClosedRow> {
  const { rows } = await db.query<ClosedRow>(
    `select count(*)::int as closed, count(*) filter (where i.resolution_reason = 'false_alarm')::int as "falseAlarms"
       from incidents i
       left join vehicles v on v.reseller_id = i.reseller_id and v.vehicle_id = i.vehicle_id
      where i.reseller_id = $1 and i.status = 'resolved' and i.resolved_at >= $2 and i.resolved_at < $3
        and i.source = 'engine' and i.resolved_by <> 'engine'
        and ($4::text is null or v.sub_client_id = $4)`,
    [resellerId, from, to, subClientPin ?? null],
  )
  return rows[0] as ClosedRow
}
