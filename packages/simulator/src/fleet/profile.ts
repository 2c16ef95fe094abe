import { drivers, vehicleModels } from './catalogue.ts'
import { createStream, nextInteger, pickOne } from './random.ts'
import { regions } from './regions.ts'
import type { VehicleProfile } from './vehicle-state.ts'
import { createVin } from './vin.ts'

/** A seed has this many serial numbers under one type allocation code and one plant. Further vehicles take the next ones. */
const SERIALS_PER_SEED = 1_000
/** First type allocation code of the simulated trackers; the serial follows, then the Luhn digit (3GPP TS 23.003 §6.2.1). */
const FIRST_TYPE_ALLOCATION_CODE = 35_693_803
/** 7919 and 9000 share no factor: nine thousand vehicles have nine thousand numbers. Those after them carry another letter. */
const PLATE_NUMBERS = 9_000
const PLATE_SERIES = ['', 'A', 'B', 'C']

/** With half of them connected over MQTT this stays below the 28,232 local ports that Linux has for connections to one address. */
export const MAX_FLEET_VEHICLES = 20_000

/** The identity of a vehicle: a pure function of seed and index, so that a fleet of 24 is the beginning of a fleet of 20,000. */
export function createProfile(seed: number, index: number, schedule: VehicleProfile['schedule'], startAtMs: number): VehicleProfile {
  const random = createStream(seed, `profile/${index}`)
  const model = vehicleModels[index % vehicleModels.length]
  const region = regions[index % regions.length]
  if (!model || !region) throw new RangeError('the catalogue is empty')
  const modelYear = new Date(startAtMs).getUTCFullYear() - nextInteger(random, 1, 7)
  const serial = (((seed % 1_000) + 1_000) % 1_000) * SERIALS_PER_SEED + (index % SERIALS_PER_SEED)
  const block = Math.floor(index / SERIALS_PER_SEED)
  const plateNumber = 1000 + ((index * 7919 + Math.abs(seed) * 101) % PLATE_NUMBERS)
  const plateSeries = PLATE_SERIES[Math.floor(index / PLATE_NUMBERS)] ?? ''
  const letters = Array.from({ length: 2 }, () => pickOne(random, [...'BCDFGHJKLMNPRSTVWXYZ'])).join('')
  return {
    index,
    imei: withLuhnDigit(`${FIRST_TYPE_ALLOCATION_CODE + block}${String(serial).padStart(6, '0')}`),
    vin: createVin(model.makerCode, { car: 'ZZZ1K', van: 'XXTTG', truck: 'ZZZ4X' }[model.kind], modelYear, serial, block),
    licensePlate: `${region.platePrefix}${plateNumber}${region.platePrefix === '' ? ` ${letters}D` : ''}${plateSeries}`,
    modelYear,
    model,
    driver: pickOne(random, drivers),
    region,
    schedule,
  }
}

function withLuhnDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, character, i) => {
    const doubled = Number(character) * (i % 2 === 0 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
