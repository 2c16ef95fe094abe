// The input of an invoice as it is stored beside it: JSON, compressed.

import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { CreditInput } from '../credit-input.ts'
import type { RatingInput } from './rating-input.ts'

/** JSON of an input is cut off where it is larger unpacked; about a million rows. */
const MAX_INPUT_BYTES = 256 * 1024 * 1024

export async function packInput(input: RatingInput | CreditInput): Promise<Uint8Array> {
  return await promisify(gzip)(JSON.stringify(input))
}

export async function unpackInput<T extends RatingInput | CreditInput = RatingInput>(packed: Uint8Array): Promise<T> {
  const json = await promisify(gunzip)(packed, { maxOutputLength: MAX_INPUT_BYTES })
  return JSON.parse(json.toString('utf8')) as T
}
