// A stored reading in the keys and units of a surface. Inside, names are canonical; no surface shows one.

import { lampNames, lampStates, lamps, type SignalName, signalNames, signals } from '@roadworthy/signals/registry'
import { toWireValue, type Vocabulary, wireKeyOf } from '@roadworthy/signals/wire-names'
import type { SelectedReading } from './reading.read.sql.ts'

/** Numeric signals, by the keys of the surface; of these only, where some are asked for. */
export function toWireSignals(
  { signals: values }: Pick<SelectedReading, 'signals'>,
  vocabulary: Vocabulary,
  only: readonly SignalName[] = signalNames,
): Record<string, number> {
  const told: Record<string, number> = {}
  for (const name of signalNames) {
    const value = values[name]
    if (value !== undefined && only.includes(name)) told[wireKeyOf(name, vocabulary).key] = toWireValue(name, value, vocabulary)
  }
  return told
}

/** Lamps and fault codes, which both vocabularies call the same. */
export function toWireStates({ attributes }: Pick<SelectedReading, 'attributes'>): Record<string, unknown> {
  const told: Record<string, unknown> = {}
  for (const lamp of lampNames) {
    const isOn = attributes.lamps?.[lamp]
    if (isOn !== undefined) told[lamps[lamp].engineKey] = isOn ? lampStates[0] : lampStates[1]
  }
  if (attributes.dtcCodes !== undefined) told['dtc_codes'] = attributes.dtcCodes
  return told
}

/** What came with the reading beside signals and position. */
export function toWireAttributes({ attributes }: Pick<SelectedReading, 'attributes'>) {
  const { headingDeg, altitudeM, satellites, deviceBatteryPct, deviceBatteryV, ignition, event, extra } = attributes
  return {
    ...(headingDeg === undefined ? {} : { heading: headingDeg }),
    ...(altitudeM === undefined ? {} : { altitude: altitudeM }),
    ...(satellites === undefined ? {} : { satellites }),
    ...(deviceBatteryPct === undefined ? {} : { device_battery: deviceBatteryPct }),
    ...(deviceBatteryV === undefined ? {} : { device_battery_voltage: deviceBatteryV }),
    ...(ignition === undefined ? {} : { ignition }),
    ...(event === undefined ? {} : { event }),
    ...(extra === undefined ? {} : { extra }),
  }
}

const implausibleAttributes: Readonly<Record<string, readonly string[]>> = {
  headingDeg: ['heading'],
  altitudeM: ['altitude'],
  deviceBatteryPct: ['device_battery'],
  deviceBatteryV: ['device_battery_voltage'],
  position: ['latitude', 'longitude'],
}

/** The keys that were marked implausible, as the surface calls them. */
export function toWireImplausible({ attributes }: Pick<SelectedReading, 'attributes'>, vocabulary: Vocabulary): string[] {
  return (attributes.implausible ?? []).flatMap((name) =>
    Object.hasOwn(signals, name) ? [wireKeyOf(name as SignalName, vocabulary).key] : (implausibleAttributes[name] ?? [name]),
  )
}
