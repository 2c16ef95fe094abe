// Apart from the other formats: the registry of signals is not part of what a first visit loads.

import { type SignalName, signals } from '@roadworthy/signals/registry'
import { measure } from './format.ts'

/** With the unit of the registry, or what the person reads in its place: `83 °C`, `13.9 V`. */
export function signalValue(name: SignalName, value: number): string {
  return measure(value, signals[name].unit)
}
