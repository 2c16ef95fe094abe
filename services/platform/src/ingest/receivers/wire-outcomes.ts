// What became of readings, as the External API returns it.

import type { BatchAccepted } from '@roadworthy/contracts/external/telemetry'
import type { Accepted, Outcome } from '../inbound.ts'
import { MAX_WARNINGS, toWireWarnings, type WarningRoom, type WireWarning } from '../wire-warnings.ts'

/** Throws the refusal of one that is refused. */
export function toAccepted(outcome: Outcome) {
  if (outcome.status === 'refused') throw outcome.problem
  return {
    success: true as const,
    readingId: outcome.readingId,
    device_id: outcome.deviceId ?? null,
    vehicle_id: outcome.vehicleId ?? null,
    sub_client_id: outcome.subClientId ?? null,
    received_at: new Date(outcome.receivedAtMs).toISOString(),
    duplicate: outcome.status === 'duplicate',
    ...warningsIn(outcome, { left: MAX_WARNINGS }),
  }
}

/** `startedAtMs` of `performance.now()`. */
export function toBatchAccepted(outcomes: readonly Outcome[], startedAtMs: number): BatchAccepted {
  const room = { left: MAX_WARNINGS }
  const results = outcomes.map((outcome, index) => toItemResult(outcome, index, room))
  const rejectedCount = countOf(results, 'rejected')
  return {
    success: true,
    records_processed: results.length - rejectedCount,
    records_rejected: rejectedCount,
    duplicates: countOf(results, 'duplicate'),
    processing_time_ms: Math.round((performance.now() - startedAtMs) * 100) / 100,
    results,
  }
}

type ItemResult = BatchAccepted['results'][number]

const countOf = (results: readonly ItemResult[], status: ItemResult['status']) =>
  results.filter((result) => result.status === status).length

/** No field when there is nothing to warn of. */
function warningsIn({ warnings }: Accepted, room: WarningRoom): { warnings?: WireWarning[] } {
  const warned = toWireWarnings(warnings, room)
  return warned === undefined ? {} : { warnings: warned }
}

function toItemResult(outcome: Outcome, index: number, room: WarningRoom): ItemResult {
  if (outcome.status !== 'refused') return { index, status: outcome.status, id: outcome.readingId, ...warningsIn(outcome, room) }
  const { code, message, details } = outcome.problem
  return { index, status: 'rejected', error: { code, message, ...(details === undefined ? {} : { details }) } }
}
