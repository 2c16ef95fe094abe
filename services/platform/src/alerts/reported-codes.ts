// The fault codes that readings of a range report, whether those are in PostgreSQL or in sealed files.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { recentPart } from '../readings/all-readings.ts'
import type { PastReadings } from '../readings/past-readings.ts'
import { type CodesOf, MAX_CODES, type ReportedCode, selectActiveCodes, selectReportedCodes } from './fault-codes.read.sql.ts'

/** Those of the newest list first, then by when they were last reported. */
export async function reportedCodes(db: Db, past: PastReadings, resellerId: string, of: CodesOf): Promise<ReportedCode[]> {
  const part = await past.open(resellerId, of)
  const recent = recentPart(of.range, part)
  const active = await selectActiveCodes(db, resellerId, of.vehicleId)
  const since = recent === undefined ? [] : await selectReportedCodes(db, resellerId, { ...of, range: recent }, active)
  if (part === undefined) return since
  const before = await part.codes(of)
  const codes = new Map(since.map((code) => [code.code, code]))
  for (const each of before) {
    const newer = codes.get(each.code)
    const { code, firstSeenAt, readingCount } = each
    codes.set(code, {
      ...{ code, firstSeenAt, isActive: active.has(code) },
      lastSeenAt: newer?.lastSeenAt ?? each.lastSeenAt,
      readingCount: readingCount + (newer?.readingCount ?? 0),
    })
  }
  return [...codes.values()].sort(byStandingAndTime).slice(0, MAX_CODES)
}

function byStandingAndTime(a: ReportedCode, b: ReportedCode): number {
  if (a.isActive !== b.isActive) return a.isActive ? -1 : 1
  return b.lastSeenAt.getTime() - a.lastSeenAt.getTime() || (a.code < b.code ? -1 : 1)
}
