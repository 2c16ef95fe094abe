// Traces through a group commit: which callers of a group are traced, the marks by which scoring finds their traces, and one span for the commit, which
// is a child of one trace and linked to the others. Where there are no traces, or none of a group is kept, nothing is done here.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { TraceSpan } from '@roadworthy/service-kit/telemetry/tracer'
import { activeSpan, startSharedSpan, tracedAs } from '@roadworthy/service-kit/telemetry/tracing'
import type { Reading } from '../readings/reading.ts'
import { type TraceMark, upsertTraceMarksAcrossResellers } from '../readings/trace-marks.sql.ts'

/** What one caller of a group brings of a trace. */
export type CallerTrace = { readonly span: TraceSpan; readonly marks: readonly TraceMark[] }

/** Vehicles of one caller, and of one group, whose scores go on with a trace. */
const MAX_MARKS_OF_CALLER = 100
const MAX_MARKS_OF_GROUP = 500

/** Undefined where the trace of the caller is not kept. */
export function traceOfCaller(readings: readonly Reading[]): CallerTrace | undefined {
  const span = activeSpan()
  if (span === undefined) return undefined
  const { traceparent } = span
  const newest = new Map<string, TraceMark>()
  for (const { resellerId, vehicleId, recordedAtMs } of readings) {
    if (vehicleId === undefined) continue
    const key = `${resellerId}/${vehicleId}`
    const known = newest.get(key)
    if (known === undefined && newest.size === MAX_MARKS_OF_CALLER) continue
    if (known !== undefined && known.recordedAt.getTime() >= recordedAtMs) continue
    newest.set(key, { resellerId, vehicleId, traceparent, recordedAt: new Date(recordedAtMs) })
  }
  return { span, marks: [...newest.values()] }
}

type TracedGroup = { readonly callers: readonly CallerTrace[]; readonly readingCount: number; readonly callerCount: number }

/** Runs the commit of a group. */
export async function commitTraced<T>(
  database: Database,
  { callers, readingCount, callerCount }: TracedGroup,
  onError: (error: unknown) => void,
  commit: () => Promise<T>,
): Promise<T> {
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': 'COMMIT',
    'fleet.readings.count': readingCount,
    'fleet.requests.count': callerCount,
  }
  const span = startSharedSpan(
    { name: 'commit readings', kind: 'client', attributes },
    callers.map(({ span: own }) => own),
  )
  return await tracedAs(span, async () => {
    await noteMarks(database, callers, onError)
    return await commit()
  })
}

/** Before the commit, so that no score of these readings misses them. Readings are stored without their marks where those cannot be. */
async function noteMarks(database: Database, callers: readonly CallerTrace[], onError: (error: unknown) => void): Promise<void> {
  const marks = new Map<string, TraceMark>()
  for (const mark of callers.flatMap((caller) => caller.marks)) {
    if (marks.size === MAX_MARKS_OF_GROUP) break
    marks.set(`${mark.resellerId}/${mark.vehicleId}`, mark)
  }
  if (marks.size === 0) return
  try {
    await upsertTraceMarksAcrossResellers(database.systemPool, [...marks.values()])
  } catch (error) {
    onError(error)
  }
}
