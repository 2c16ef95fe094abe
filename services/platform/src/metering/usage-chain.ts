// The chain of one sub-client: every line's hash covers the line and the hash before it, so that none can be changed, left out or put in
// without every later one changing. The text that is hashed is part of the contract: docs/usage-and-billing.md.

import { createHash } from 'node:crypto'
import type { LedgerMeter } from './meters.ts'

/** Whose chain it is. `subClientId` is '' for what belongs to no sub-client. */
export type ChainOwner = { readonly resellerId: string; readonly subClientId: string }

export type UsageLine = {
  /** From 1, without gaps. */
  readonly seq: number
  /** Start of the quarter-hour in which it was received. */
  readonly bucket: Date
  readonly meter: LedgerMeter
  readonly count: number
}

export type SealedLine = UsageLine & { readonly hash: Buffer }

/** What the first line follows. */
export function firstHash({ resellerId, subClientId }: ChainOwner): Buffer {
  return sha256(`roadworthy usage chain 1\n${resellerId}\n${subClientId}\n`)
}

export function hashOfLine(previous: Buffer, { seq, bucket, meter, count }: UsageLine): Buffer {
  return sha256(`${previous.toString('hex')}\n${seq}\n${bucket.toISOString()}\n${meter}\n${count}\n`)
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
