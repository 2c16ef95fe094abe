import type { Db } from '@roadworthy/service-kit/postgres/db'
import { ENDS_LIFE } from './records.sql.ts'

/** What became of the predictions of one component. Errors are days to failure less days predicted. */
export type OutcomeCounts = {
  readonly component: string
  readonly failures: number
  readonly inside: number
  readonly meanErrorDays: number | undefined
  readonly meanAbsoluteErrorDays: number | undefined
  readonly censored: number
  readonly censoredLater: number
  readonly unknown: number
}

/** One row per component that has an outcome, by name. Counted as `outcomeOf` judges. */
export async function selectOutcomeCounts(
  db: Db,
  resellerId: string,
  { component, subClientPin }: { component: string | undefined; subClientPin: string | undefined },
): Promise<OutcomeCounts[]> {
  const { rows } = await db.query<CountsRow>(
    `select h.component,
            count(*) filter (where h.condition_found = 'failed')::int as failures,
            count(*) filter (where h.condition_found = 'failed' and h.actual_days between h.rul_p10_days and h.rul_p90_days)::int as inside,
            avg(h.actual_days - h.rul_days) filter (where h.condition_found = 'failed') as mean_error_days,
            avg(abs(h.actual_days - h.rul_days)) filter (where h.condition_found = 'failed') as mean_absolute_error_days,
            count(*) filter (where h.condition_found <> 'failed')::int as censored,
            count(*) filter (where h.condition_found <> 'failed' and h.actual_days > h.rul_p90_days)::int as censored_later,
            count(*) filter (where h.condition_found is null)::int as unknown
       from (select r.component, r.condition_found, o.rul_days, o.rul_p10_days, o.rul_p90_days,
                    extract(epoch from r.completed_at - o.told_at)::float8 / 86400 as actual_days
               from prediction_outcomes o
               join maintenance_records r on r.reseller_id = o.reseller_id and r.maintenance_id = o.maintenance_id
               join vehicles v on v.reseller_id = r.reseller_id and v.vehicle_id = r.vehicle_id
              where o.reseller_id = $1 and ${ENDS_LIFE} and ($2::text is null or r.component = $2) and ($3::text is null or v.sub_client_id = $3)) h
      group by h.component
      order by h.component`,
    [resellerId, component ?? null, subClientPin ?? null],
  )
  return rows.map((row) => ({
    component: row.component,
    failures: row.failures,
    inside: row.inside,
    meanErrorDays: row.mean_error_days ?? undefined,
    meanAbsoluteErrorDays: row.mean_absolute_error_days ?? undefined,
    censored: row.censored,
    censoredLater: row.censored_later,
    unknown: row.unknown,
  }))
}

type CountsRow = {
  component: string
  failures: number
  inside: number
  mean_error_days: number | null
  mean_absolute_error_days: number | null
  censored: number
  censored_later: number
  unknown: number
}
