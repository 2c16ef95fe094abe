// The field that a key means. Integrators write names as their language does (`coolantTemp`, `engine-speed`), and now and then misspell one.

import { closestName } from '@roadworthy/service-kit/closest-name'
import { type EngineField, engineFieldsByKey } from './engine-fields.ts'

/** Longer keys are no spelling of any name of ours. */
const MAX_NAME_LENGTH = 64
/** Senders repeat their keys. */
const MAX_REMEMBERED = 5_000

const fieldsByFoldedKey: ReadonlyMap<string, EngineField> = new Map([...engineFieldsByKey].map(([key, field]) => [fold(key), field]))
const allKeys = [...engineFieldsByKey.keys()]
const closestByKey = new Map<string, string | undefined>()

/** By its exact name, else by one that differs only in case, `_`, `-` or spaces. */
export function fieldOf(key: string): EngineField | undefined {
  return engineFieldsByKey.get(key) ?? (key.length > MAX_NAME_LENGTH ? undefined : fieldsByFoldedKey.get(fold(key)))
}

/** The VIN is a name of the vehicle, as which it is mapped to `vehicleId`, and says what kind of vehicle it is. */
export function isVinKey(key: string): boolean {
  return key.length <= MAX_NAME_LENGTH && fold(key) === 'vin'
}

/** The standard name that is nearest to a key which means no field. Takes some 10 µs the first time that a key is seen. */
export function closestField(key: string): string | undefined {
  if (key.length > MAX_NAME_LENGTH) return undefined
  if (closestByKey.has(key)) return closestByKey.get(key)
  const closest = closestName(key, allKeys)
  const standard = closest === undefined ? undefined : engineFieldsByKey.get(closest)?.standard
  if (closestByKey.size >= MAX_REMEMBERED) closestByKey.clear()
  closestByKey.set(key, standard)
  return standard
}

function fold(key: string): string {
  return key.toLowerCase().replace(/[_\- ]/g, '')
}
