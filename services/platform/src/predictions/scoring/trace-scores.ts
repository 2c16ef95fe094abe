// Traces through scoring: the vehicles of a batch are asked about together, and each has the trace that its reading came with. What is published of a vehicle goes
// on with its own.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { TraceSpan } from '@roadworthy/service-kit/telemetry/tracer'
import { endAfter, isTracing, resumeSpan, withinSpans } from '@roadworthy/service-kit/telemetry/tracing'
import { deleteTraceMarksAcrossResellers, selectTraceMarksAcrossResellers, type TraceMark } from '../../readings/trace-marks.sql.ts'
import { type VehicleKey, vehicleKeyText } from '../vehicle-key.ts'

/** Of a batch, the vehicles that were brought by traces. */
export class ScoreTraces {
  readonly #marks: readonly TraceMark[]
  /** By the text of the vehicle's key. */
  readonly #spans: ReadonlyMap<string, TraceSpan>

  private constructor(marks: readonly TraceMark[]) {
    this.#marks = marks
    const spans = new Map<string, TraceSpan>()
    for (const mark of marks) {
      const attributes = { 'fleet.reseller.id': mark.resellerId, 'fleet.vehicle.id': mark.vehicleId }
      const span = resumeSpan({ name: 'score vehicle', kind: 'consumer', attributes }, mark.traceparent)
      if (span !== undefined) spans.set(vehicleKeyText(mark), span)
    }
    this.#spans = spans
  }

  /** None where there are no traces: then nothing is asked. */
  static async open(db: Db, subjects: readonly (VehicleKey & { readonly readingAt: Date })[]): Promise<ScoreTraces> {
    return new ScoreTraces(isTracing() && subjects.length > 0 ? await selectTraceMarksAcrossResellers(db, subjects) : [])
  }

  /** Runs what is done for the batch, and ends the spans with what came of it. */
  async follow<T>(run: () => Promise<T>): Promise<T> {
    if (this.#spans.size === 0) return await run()
    return await endAfter([...this.#spans.values()], () => withinSpans(this.#spans, run))
  }

  /** In the transaction of the scores: what comes next of these vehicles is of other traces. */
  async close(db: Db, scored: readonly VehicleKey[]): Promise<void> {
    if (this.#marks.length === 0) return
    const keys = new Set(scored.map(vehicleKeyText))
    await deleteTraceMarksAcrossResellers(
      db,
      this.#marks.filter((mark) => keys.has(vehicleKeyText(mark))),
    )
  }
}
