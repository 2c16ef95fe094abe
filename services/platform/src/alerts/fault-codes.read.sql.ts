// The fault codes that readings of a vehicle report, and their alerts.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Severity } from '@roadworthy/signals/severity'
import type { TimeRange } from '../readings/time-range.ts'
import { selectSourcesOfVehicle } from '../readings/vehicle-sources.sql.ts'

export type ReportedCode = {
  readonly code: string
  readonly isActive: boolean
  readonly firstSeenAt: Date
  readonly lastSeenAt: Date
  readonly readingCount: number
}

/** More than any vehicle stores; a device that makes up codes stops here. */
export const MAX_CODES = 200

export type CodesOf = { readonly vehicleId: string; readonly subClientPin: string | undefined; readonly range: TimeRange }

/** The active ones first, then by when they were last reported. */
export async function selectReportedCodes(db: Db, resellerId: string, of: CodesOf, active: ReadonlySet<string>): Promise<ReportedCode[]> {
  const sources = await selectSourcesOfVehicle(db, resellerId, of.vehicleId)
  const { rows } = await db.query<CodeRow>(
    `select code, min(r.recorded_at) as first_seen_at, max(r.recorded_at) as last_seen_at, count(*)::int as reading_count,
            code = any ($7::text[]) as is_active
       from readings r
      cross join lateral jsonb_array_elements_text(r.attributes -> 'dtcCodes') code
      where r.source_id = any ($6) and r.reseller_id = $1 and r.vehicle_id = $2 and r.recorded_at >= $3 and r.recorded_at < $4
        and ($5::text is null or r.sub_client_id = $5) and r.attributes ? 'dtcCodes'
      group by code
      order by is_active desc, last_seen_at desc, code
      limit ${MAX_CODES}`,
    [resellerId, of.vehicleId, of.range.from, of.range.to, of.subClientPin ?? null, sources, [...active]],
  )
  return rows.map((row) => ({
    ...{ code: row.code, isActive: row.is_active, readingCount: row.reading_count },
    ...{ firstSeenAt: row.first_seen_at, lastSeenAt: row.last_seen_at },
  }))
}

/** The newest lists of codes of the vehicle's sources. */
export async function selectActiveCodes(db: Db, resellerId: string, vehicleId: string): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ code: string }>(
    `select distinct code
       from latest_states l cross join lateral jsonb_array_elements_text(l.states -> 'dtcCodes' -> 0) code
      where l.vehicle_id = $2 and l.reseller_id = $1`,
    [resellerId, vehicleId],
  )
  return new Set(rows.map(({ code }) => code))
}

/** When the vehicle last reported a list of codes, empty or not. */
export async function selectCodesReportedAt(db: Db, resellerId: string, vehicleId: string): Promise<Date | undefined> {
  const { rows } = await db.query<{ at_ms: number | null }>(
    `select max((l.states -> 'dtcCodes' ->> 1)::float8) as at_ms
       from latest_states l
      where l.vehicle_id = $2 and l.reseller_id = $1`,
    [resellerId, vehicleId],
  )
  const atMs = rows[0]?.at_ms ?? undefined
  return atMs === undefined ? undefined : new Date(atMs)
}

/** The part of an alert about the codes of one component. */
export type JudgedCodes = {
  readonly codes: readonly string[]
  readonly titles: readonly string[]
  readonly drivingOn: string | undefined
  readonly component: string
  readonly severity: Severity
  readonly incidentId: string | undefined
}

/** Of one vehicle, the newest; the worst of a code is named in it. */
const MAX_JUDGEMENTS = 100

/** Newest first. */
export async function selectJudgedCodes(db: Db, resellerId: string, vehicleId: string): Promise<JudgedCodes[]> {
  const { rows } = await db.query<JudgedRow>(
    `select a.component, a.severity, a.incident_id, a.evidence
       from alerts a
      where a.reseller_id = $1 and a.vehicle_id = $2 and a.type = 'fault_code' and a.source = 'engine'
      order by a.opened_at desc, a.alert_id desc
      limit ${MAX_JUDGEMENTS}`,
    [resellerId, vehicleId],
  )
  return rows.map(({ component, severity, incident_id: incidentId, evidence: { codes, titles, drivingOn } }) => ({
    ...{ component, severity, incidentId: incidentId ?? undefined },
    codes: textsOf(codes),
    titles: textsOf(titles),
    drivingOn: typeof drivingOn === 'string' ? drivingOn : undefined,
  }))
}

type CodeRow = { code: string; first_seen_at: Date; last_seen_at: Date; reading_count: number; is_active: boolean }
type JudgedRow = {
  component: string
  severity: Severity
  incident_id: string | null
  evidence: { codes?: unknown; titles?: unknown; drivingOn?: unknown }
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
