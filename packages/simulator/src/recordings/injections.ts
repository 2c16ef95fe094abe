// Faults that `replay --inject` and the quality benchmark put into a recording, each as it shows on a real car.

import {
  coolantRamp,
  coolantStuck,
  deadAlternator,
  fahrenheit,
  fuelLoss,
  overcharge,
  type Transform,
  thermostatOpen,
  voltageDrift,
} from './transforms.ts'

/** A leak that empties a small car's cooling system: 30 °C in two minutes, and no end of scale before the red band. */
const RAMP = { toC: 118, ratePerS: 0.25 }
/** A corroding ground strap, seen over one trip. */
const DRIFT_V_PER_HOUR = -2
/** A tank emptied in a quarter of an hour, as with a pump and a hose. */
const FUEL_PCT_PER_S = 0.1

export const injections = {
  'coolant-ramp': (startS) => coolantRamp({ startS, ...RAMP }),
  'coolant-stuck': (startS) => coolantStuck({ startS }),
  'thermostat-open': (startS) => thermostatOpen({ startS }),
  'dead-alternator': (startS) => deadAlternator({ startS }),
  overcharge: (startS) => overcharge({ startS }),
  'voltage-drift': (startS) => voltageDrift({ startS, perHourV: DRIFT_V_PER_HOUR }),
  'fuel-loss': (startS) => fuelLoss({ startS, pctPerS: FUEL_PCT_PER_S }),
  fahrenheit: (startS) => fahrenheit({ startS }),
} as const satisfies Record<string, (startS: number) => Transform>

export type Injection = keyof typeof injections
export const injectionNames = Object.keys(injections) as Injection[]
