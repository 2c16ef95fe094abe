// By when to act on an incident, and the order that follows from it. In SQL alone, so that a list is ordered by what it shows.

import { type Severity, severities, severityRank } from '@roadworthy/signals/severity'

/**
 * How long after it opened an incident may wait where nothing is predicted for its part. High and medium are the remaining lives that predictions
 * call so (`maintenance-predictions.ts`). Assumption: what is low waits for the next service, at most a quarter, and what informs a year.
 */
const ALLOWED_DAYS: Readonly<Record<Severity, number>> = { critical: 0, high: 7, medium: 30, low: 90, info: 365 }
/** As far as a date is worth naming. */
const MAX_AHEAD_DAYS = 36_500
/** Further apart than incidents ever are: what must be done at once comes before everything that has a day, the graver the earlier. */
const APART = "interval '100000 days'"

const bySeverity = (numberOf: (severity: Severity) => number) =>
  `case i.severity ${severities.map((severity) => `when '${severity}' then ${numberOf(severity)}`).join(' ')} else 0 end`

/** What the engine reports of the component of an incident `i` that lives. */
export const LATEST_SCORE = `left join lateral (
         select h.result -> 'predictions' -> 'advice' -> i.component as advice, h.result ->> 'timestamp' as judged_at, h.scored_at
           from vehicle_health h
          where i.status <> 'resolved' and i.source = 'engine' and h.reseller_id = i.reseller_id and h.vehicle_id = i.vehicle_id
       ) latest on true`

const IS_NOW = `(i.severity = 'critical' or coalesce(latest.advice ->> 'act' in ('stop', 'now'), false))`
/** The early end (P10) of a remaining life, less the lead time of the reseller. Null where none is predicted, which `greatest` alone would pass over. */
const PREDICTED = `case when latest.advice -> 'interval' ->> 0 is not null then
           latest.scored_at + interval '1 day' * least(${MAX_AHEAD_DAYS}, greatest(0, (latest.advice -> 'interval' ->> 0)::float8
             - (select r.maintenance_lead_days from resellers r where r.reseller_id = i.reseller_id))) end`
/** The day of work that a schedule asks for. Null where it is due by use and no day follows from it. */
const DUE = `case when i.source = 'maintenance' then
           (select min((a.evidence ->> 'dueAt')::timestamptz)
              from alerts a
             where a.reseller_id = i.reseller_id and a.incident_id = i.incident_id and a.status <> 'resolved') end`
const ALLOWED = `i.opened_at + interval '1 day' * ${bySeverity((severity) => ALLOWED_DAYS[severity])}`

/** When it opened, of what must be done at once; else the predicted day or the day that maintenance is due, and where none is, what its severity allows. Needs `LATEST_SCORE`. */
export const ACT_BY = `date_trunc('milliseconds', case when ${IS_NOW} then i.opened_at else coalesce(${PREDICTED}, ${DUE}, ${ALLOWED}) end)`

/** Ascends with falling urgency: what must be done at once, gravest and then oldest first; then by the day, soonest first. Needs `LATEST_SCORE`. */
export const RANK_AT = `date_trunc('milliseconds', case when ${IS_NOW} then i.opened_at - ${APART} * (1 + ${bySeverity((severity) => severityRank[severity])})
         else coalesce(${PREDICTED}, ${DUE}, ${ALLOWED}) end)`
