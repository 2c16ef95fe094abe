// What SIMs use: a function of seed, SIM and day, counted by whole bytes however often somebody looks, from the start of a billing cycle on.

import { chance } from './random.ts'
import type { EmulatedSim } from './sim.ts'

const DAY_MS = 86_400_000

/** Cycles are calendar months of UTC. */
export function cycleStart(atMs: number): number {
  const at = new Date(atMs)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth())
}

/** Counts what the SIM used since it was last counted. Has to be called before its state changes. */
export function countUsage(seed: number, sim: EmulatedSim, nowMs: number): void {
  for (let fromMs = sim.countedUntilMs; fromMs < nowMs; ) {
    const day = Math.floor(fromMs / DAY_MS)
    const untilMs = Math.min(nowMs, (day + 1) * DAY_MS)
    beginCycle(sim, fromMs)
    if (sim.state === 'active' || sim.state === 'test') addUsage(seed, sim, day, fromMs, untilMs)
    fromMs = untilMs
    sim.countedUntilMs = untilMs
  }
  beginCycle(sim, nowMs)
}

function beginCycle(sim: EmulatedSim, atMs: number): void {
  const startMs = cycleStart(atMs)
  if (startMs <= sim.current.startMs) return
  sim.previous = sim.current
  sim.current = { startMs, bytes: 0, sms: 0, sessions: 0 }
}

/** The difference of two counts of the same day, so that the cut between them makes none. */
function addUsage(seed: number, sim: EmulatedSim, day: number, fromMs: number, untilMs: number): void {
  const bytesOfDay = sim.bytesPerDay * (0.5 + chance(seed, sim.iccid, 'bytes', day))
  const smsOfDay = Math.floor(chance(seed, sim.iccid, 'sms', day) * 4)
  const sessionsOfDay = 4 + Math.floor(chance(seed, sim.iccid, 'sessions', day) * 20)
  const [from, until] = [(fromMs - day * DAY_MS) / DAY_MS, (untilMs - day * DAY_MS) / DAY_MS]
  const between = (ofDay: number) => Math.floor(ofDay * until) - Math.floor(ofDay * from)
  sim.current.bytes += between(bytesOfDay)
  sim.current.sms += between(smsOfDay)
  sim.current.sessions += between(sessionsOfDay)
}
