// The control units' own view: fault codes that set after a hold time and clear after a while, and the lamps they light.
import type { FaultCode, VehicleProfile, VehicleState } from '../fleet/vehicle-state.ts'
import { isEngineOn } from '../fleet/vehicle-state.ts'

type Rule = {
  /** SAE J2012 code of cars and vans; J1939-73 suspect parameter and failure mode of trucks. */
  readonly code: string
  readonly heavyCode: string
  readonly lamp: FaultCode['lamp']
  readonly holdS: number
  readonly isTrue: (profile: VehicleProfile, state: VehicleState, ambientC: number) => boolean
}

const blockV = (profile: VehicleProfile, state: VehicleState) => state.electrics.busV / (profile.model.systemV / 12)

/** Set points follow Perkins 1200F for coolant (109 warn, 111 derate, 114 stop) and J1939-73 for failure modes and lamps. */
const rules: readonly Rule[] = [
  { code: 'P0217', heavyCode: 'SPN110-FMI16', lamp: 'amber', holdS: 10, isTrue: (_p, s) => s.engine.coolantC > 110 },
  { code: 'P1217', heavyCode: 'SPN110-FMI0', lamp: 'red', holdS: 10, isTrue: (_p, s) => s.engine.coolantC > 114 },
  { code: 'P2560', heavyCode: 'SPN111-FMI18', lamp: 'protect', holdS: 30, isTrue: (_p, s) => s.severity.coolant_leak > 0.5 },
  {
    code: 'P0128',
    heavyCode: 'SPN110-FMI18',
    lamp: 'mil',
    holdS: 60,
    isTrue: (_p, s, ambientC) => s.engine.runTimeS > 480 && s.engine.coolantC < 68 && ambientC > -8 && s.severity.thermostat_open > 0.3,
  },
  {
    code: 'P0562',
    heavyCode: 'SPN168-FMI18',
    lamp: 'amber',
    holdS: 30,
    isTrue: (p, s) => s.engine.rpm > p.model.idleRpm * 0.85 && blockV(p, s) < 12.8,
  },
  { code: 'P0622', heavyCode: 'SPN167-FMI1', lamp: 'mil', holdS: 60, isTrue: (_p, s) => s.severity.alternator > 0.9 },
  {
    code: 'P0563',
    heavyCode: 'SPN168-FMI16',
    lamp: 'amber',
    holdS: 20,
    isTrue: (p, s) => blockV(p, s) > (p.model.systemV === 24 ? 14.75 : 15),
  },
  {
    code: 'P0524',
    heavyCode: 'SPN100-FMI1',
    lamp: 'red',
    holdS: 5,
    // 10 psi per 1000 rpm is the workshop rule; the switch sits at about half of it, and never above 100 kPa.
    isTrue: (_p, s) => s.engine.rpm > 500 && s.engine.oilPressureKpa < Math.min(100, s.engine.rpm * 0.035),
  },
  { code: 'P0087', heavyCode: 'SPN157-FMI18', lamp: 'mil', holdS: 60, isTrue: (_p, s) => s.severity.fuel_leak > 0.8 },
  { code: 'P0301', heavyCode: 'SPN651-FMI5', lamp: 'mil', holdS: 20, isTrue: (_p, s) => s.severity.misfire > 0.4 },
  { code: 'P0420', heavyCode: 'SPN3216-FMI16', lamp: 'mil', holdS: 20, isTrue: (_p, s) => s.severity.misfire > 0.85 },
  { code: 'P0730', heavyCode: 'SPN177-FMI16', lamp: 'amber', holdS: 20, isTrue: (_p, s) => s.severity.transmission > 0.4 },
  { code: 'P0218', heavyCode: 'SPN177-FMI0', lamp: 'red', holdS: 20, isTrue: (_p, s) => s.severity.transmission > 0.95 },
  // J1939 knows brake lining remaining (SPN 1099). SAE J2012 defines no pad code; heat of worn pads first kills a wheel-speed sensor.
  { code: 'C0035', heavyCode: 'SPN1099-FMI18', lamp: 'amber', holdS: 20, isTrue: (_p, s) => s.severity.brakes > 0.4 },
  { code: 'C0110', heavyCode: 'SPN1099-FMI1', lamp: 'red', holdS: 20, isTrue: (_p, s) => s.severity.brakes >= 1 },
]

/** A code clears itself when its cause has been gone for this long with the engine running. */
const CLEAR_AFTER_S = 180

/** Sets, keeps and clears fault codes. Only a running engine judges itself. */
export function runDiagnostics(profile: VehicleProfile, state: VehicleState, ambientC: number): void {
  if (!isEngineOn(state) || state.engine.runTimeS < 5) return
  const heavy = profile.model.systemV === 24
  for (const rule of rules) {
    const code = heavy ? rule.heavyCode : rule.code
    const active = state.codes.length === 0 ? undefined : state.codes.find((entry) => entry.code === code)
    if (!rule.isTrue(profile, state, ambientC)) {
      // Asked first: a deletion makes an object slow for good, also of what is not there, and every rule comes by here each second.
      if (state.pendingSinceMs[code] !== undefined) delete state.pendingSinceMs[code]
      if (active && state.atMs - active.lastTrueMs > CLEAR_AFTER_S * 1000) state.codes = state.codes.filter((entry) => entry !== active)
      continue
    }
    if (active) {
      active.lastTrueMs = state.atMs
      continue
    }
    const since = state.pendingSinceMs[code] ?? state.atMs
    state.pendingSinceMs[code] = since
    if (state.atMs - since >= rule.holdS * 1000) {
      state.codes.push({ code, lamp: rule.lamp, activeSinceMs: state.atMs, lastTrueMs: state.atMs })
    }
  }
}
