import { createHash } from 'node:crypto'
import { basename } from 'node:path'

/** Share of the recorded trips that nothing is trained or tuned on: they are there to measure with. */
const HELD_BACK_SHARE = 0.3

/**
 * Whether a trip is held back, by its file name alone: the first four bytes of the SHA-256 of the name without folder and endings, as a
 * share of all they can be. So it stays what it is when trips are added, moved or compressed.
 */
export function isHeldBack(path: string, share = HELD_BACK_SHARE): boolean {
  return hashShareOf(path) < share
}

/** Evenly spread over 0 to 1, and the same for the same trip on every machine. */
export function hashShareOf(path: string): number {
  const name = basename(path).replace(/(\.csv)?(\.gz)?$/i, '')
  return createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32
}
