import { isPlausible } from '@roadworthy/signals/registry'
import type { BatteryVoltage } from '@roadworthy/signals/vehicle-description'
import { statedIn } from '../provenance.ts'
import type { Observation } from './observation.ts'

export type SystemVoltage = 12 | 24

const SURELY_24_FROM_V = 20
const SURELY_12_BELOW_V = 16
/** Where no reading is decisive. */
const OTHERWISE_24_ABOVE_V = 17
const SHARE_FOR_24 = 1 / 3

export const systemVoltageNumbers = statedIn('system-voltage', [
  [{ SURELY_24_FROM_V }, 'V', 'assumption', 'A 12 V system never reads this, short of garbage or a booster pack.'],
  [{ SURELY_12_BELOW_V }, 'V', 'assumption', 'A 24 V system reads this only while its starter turns.'],
  [{ OTHERWISE_24_ABOVE_V }, 'V', 'assumption', 'No 12 V regulator fails this high and lives.'],
  [{ SHARE_FOR_24 }, 'share of readings', 'assumption', "Cranking is rarer than this in a truck's readings, and garbage rarer in a car's."],
])

/**
 * Decided per vehicle over everything it has reported, never per reading: 15 to 18 V means nothing by itself. Its described voltage counts only
 * where no reading is decisive.
 */
export function systemVoltageOf(
  earlier: readonly Observation[],
  currentV: number | undefined,
  nominalV?: BatteryVoltage | undefined,
): SystemVoltage {
  let count12 = 0
  let count24 = 0
  let highestV = 0
  for (let index = 0; index <= earlier.length; index++) {
    const voltageV = index === earlier.length ? currentV : earlier[index]?.signals.batteryVoltageV
    if (voltageV === undefined || !isPlausible('batteryVoltageV', voltageV)) continue
    if (voltageV >= SURELY_24_FROM_V) count24++
    else if (voltageV < SURELY_12_BELOW_V) count12++
    highestV = Math.max(highestV, voltageV)
  }
  if (count12 + count24 === 0) {
    if (nominalV !== undefined) return nominalV === 24 ? 24 : 12
    return highestV > OTHERWISE_24_ABOVE_V ? 24 : 12
  }
  return count24 / (count12 + count24) >= SHARE_FOR_24 ? 24 : 12
}
