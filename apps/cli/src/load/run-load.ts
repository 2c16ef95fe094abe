// Sends at an even rate whatever the answers take, so that a slow service is not spared: the time of each is counted from when it was due.

import { setTimeout as sleep } from 'node:timers/promises'

export type Outcome = { readonly status: string; readonly isGood: boolean }
export type LoadSender = { readonly kind: 'rest' | 'mqtt'; send(signal: AbortSignal): Promise<Outcome> }

export type LoadPlan = {
  /** In turn. */
  readonly senders: readonly LoadSender[]
  readonly perSecond: number
  readonly seconds: number
  readonly signal: AbortSignal
  readonly onProgress: (share: number, text: string) => void
}

export type Measured = {
  readonly sent: number
  readonly statuses: Readonly<Record<string, number>>
  readonly failed: number
  /** In ms, from when a message was due to its answer. Null: nothing was answered. */
  readonly latency: { readonly p50: number; readonly p90: number; readonly p99: number; readonly max: number } | null
}

export type Loaded = {
  readonly rest: Measured
  readonly mqtt: Measured
  readonly planned: number
  readonly notSent: number
  readonly seconds: number
}

/** When so many wait for an answer, what is due is not sent, and counted. */
const MAX_IN_FLIGHT = 500
/** What is under way at the end is waited for. */
const DRAIN_MS = 10_000

type Tally = { statuses: Record<string, number>; failed: number; latenciesMs: number[] }

/** Ends early, with what was measured, when the signal aborts. */
export async function runLoad({ senders, perSecond, seconds, signal, onProgress }: LoadPlan): Promise<Loaded> {
  const tallies: Record<LoadSender['kind'], Tally> = { rest: emptyTally(), mqtt: emptyTally() }
  const planned = Math.ceil(perSecond * seconds)
  const inFlight = new Set<Promise<void>>()
  const giveUp = new AbortController()
  const startedMs = performance.now()
  let notSent = 0
  for (let nth = 0; nth < planned && !signal.aborted; nth++) {
    const dueMs = startedMs + (nth * 1_000) / perSecond
    const waitMs = dueMs - performance.now()
    if (waitMs > 1) await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) break
    const sender = senders[nth % senders.length]
    if (sender === undefined) break
    if (inFlight.size >= MAX_IN_FLIGHT) {
      notSent++
      // Answers that came meanwhile are taken.
      await sleep(0)
      continue
    }
    const sending = sendOne(sender, dueMs, tallies[sender.kind], giveUp.signal).finally(() => inFlight.delete(sending))
    inFlight.add(sending)
    onProgress(nth / planned, `${nth} of ${planned} sent, ${inFlight.size} unanswered`)
  }
  const timer = setTimeout(() => giveUp.abort(), DRAIN_MS)
  await Promise.all(inFlight)
  clearTimeout(timer)
  return { rest: measured(tallies.rest), mqtt: measured(tallies.mqtt), planned, notSent, seconds: (performance.now() - startedMs) / 1_000 }
}

async function sendOne(sender: LoadSender, dueMs: number, tally: Tally, signal: AbortSignal): Promise<void> {
  const { status, isGood } = await sender.send(signal).catch((error: unknown) => ({ status: reasonOf(error), isGood: false }))
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
  if (isGood) tally.latenciesMs.push(performance.now() - dueMs)
  else tally.failed++
}

function reasonOf(error: unknown): string {
  const { cause, code, name } = error as Error & { code?: string; cause?: { code?: string } }
  return String(cause?.code ?? code ?? name)
}

function emptyTally(): Tally {
  return { statuses: {}, failed: 0, latenciesMs: [] }
}

function measured({ statuses, failed, latenciesMs }: Tally): Measured {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round((sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0) * 10) / 10
  const latency = sorted.length === 0 ? null : { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) }
  return { sent: Object.values(statuses).reduce((sum, count) => sum + count, 0), statuses, failed, latency }
}
