// Which signals an incident rests on, and the time around which they are worth looking at. Pure.

import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { type SignalName, signalsByWireKey } from '@roadworthy/signals/registry'

/** More charts below each other are not looked at. Assumption. */
const MAX_SIGNALS = 4
/** Each alert is asked for on its own. Assumption. */
const MAX_ALERTS = 3
/** Before and after the alert opened: long enough for a warm-up and for what came of it. Assumption. */
const AROUND_MS = 3_600_000
/** What lies ahead is no part of the range, which grows in such steps. */
const STEP_MS = 300_000

export type EvidenceSignal = { readonly signal: SignalName; readonly alertIds: readonly string[] }

/** Each signal once, with its newest alerts; the signal of the newest alert first. */
export function evidenceSignals(evidence: Incident['evidence']): readonly EvidenceSignal[] {
  const alertIds = new Map<SignalName, string[]>()
  for (const { alertId, evidence: found } of evidence) {
    const key = found['signal']
    const signal = typeof key === 'string' ? signalsByWireKey.get(key)?.name : undefined
    if (signal !== undefined) alertIds.set(signal, [...(alertIds.get(signal) ?? []), alertId].slice(0, MAX_ALERTS))
  }
  return [...alertIds].slice(0, MAX_SIGNALS).map(([signal, ids]) => ({ signal, alertIds: ids }))
}

export type EvidenceRange = { readonly from: string; readonly to: string; readonly isGrowing: boolean }

export function rangeAround(openedAt: string, nowMs: number): EvidenceRange {
  const openedMs = Date.parse(openedAt)
  const endMs = openedMs + AROUND_MS
  const isGrowing = endMs > nowMs
  const toMs = isGrowing ? Math.min(endMs, Math.ceil(nowMs / STEP_MS) * STEP_MS) : endMs
  return { from: new Date(openedMs - AROUND_MS).toISOString(), to: new Date(toMs).toISOString(), isGrowing }
}
