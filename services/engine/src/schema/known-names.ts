// The field that a key means. Integrators write names as their language does (`coolantTemp`, `engine-speed`), and occasionally misspell one.

import { atMostEntries } from '@roadworthy/service-kit/pacing/at-most-entries'
import { closestName } from '@roadworthy/service-kit/text/closest-name'
import { LRUCache } from 'lru-cache'
import { type EngineField, engineFieldsByKey } from './engine-fields.ts'

/** Longer keys are no spelling of any name of ours. */
const MAX_NAME_LENGTH = 64
/** Senders repeat their keys. */
const MAX_REMEMBERED = 5_000

const fieldsByFoldedKey: ReadonlyMap<string, EngineField> = new Map([...engineFieldsByKey].map(([key, field]) => [fold(key), field]))
const allKeys = [...engineFieldsByKey.keys()]
/** '' of a key that is near to none. */
const closestByKey = new LRUCache<string, string>({ ...atMostEntries(MAX_REMEMBERED), memoMethod: (key) => findClosest(key) ?? '' })

/** By its exact name, else by one that differs only in case, `_`, `-` or spaces. */
export function fieldOf(key: string): EngineField | undefined {
  return engineFieldsByKey.get(key) ?? (key.length > MAX_NAME_LENGTH ? undefined : fieldsByFoldedKey.get(fold(key)))
}

/** The VIN is a name of the vehicle, as which it is mapped to `vehicleId`, and shows what kind of vehicle it is. */
export function isVinKey(key: string): boolean {
  return key.length <= MAX_NAME_LENGTH && fold(key) === 'vin'
}

/** The standard name that is nearest to a key which means no field. Takes some 10 µs the first time that a key is seen. */
export function closestField(key: string): string | undefined {
  if (key.length > MAX_NAME_LENGTH) return undefined
  return closestByKey.memo(key) || undefined
}

function findClosest(key: string): string | undefined {
  const closest = closestName(key, allKeys)
  return closest === undefined ? undefined : engineFieldsByKey.get(closest)?.standard
}

function fold(key: string): string {
  return key.toLowerCase().replace(/[_\- ]/g, '')
}
