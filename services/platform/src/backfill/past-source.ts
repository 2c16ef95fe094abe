// What readings of before are read from, whatever form it has.

import type { UnreadKeys } from '../ingest/inbound.ts'

/** A file or a database that cannot be imported. The message is for a person: what is wrong, and what to do about it. */
export class BackfillProblem extends Error {
  override readonly name = 'BackfillProblem'
}

/** `kind` is the same for all that are wrong in one way; `text` is what is shown of the first. */
export type Refusal = { readonly kind: string; readonly text: string }

/** `place` is where it stands, such as `line 12`. */
export type PastRecord =
  | { readonly place: string; readonly record: Readonly<Record<string, unknown>>; readonly unread?: UnreadKeys }
  | { readonly place: string; readonly refusal: Refusal }

/** `share` of all that is read by then, 0 to 1. */
export type PastPart = { readonly records: readonly PastRecord[]; readonly share: number }

export type PastSource = {
  readonly kind: 'csv' | 'traccar'
  /** For messages. */
  readonly name: string
  /** What is left out of it, and why. */
  readonly notes: readonly string[]
  /** Whether records name vehicles, so that a device that is created for them needs none of its own. */
  readonly namesVehicles: boolean
  /** What the source calls a device beside its IMEI or id. */
  nameOf(reference: string): string | undefined
  /** From its beginning; it is read twice. */
  read(): AsyncGenerator<PastPart, void>
  close(): Promise<void>
}

const MAX_SHOWN_CHARACTERS = 64

/** Text of a file as it may be shown on a terminal: on one line, not too long, and without what would steer the terminal. */
export function shown(text: string): string {
  const plain = text.replace(/[\p{C}\u2028\u2029]+/gu, ' ').toWellFormed()
  return `"${plain.length > MAX_SHOWN_CHARACTERS ? `${plain.slice(0, MAX_SHOWN_CHARACTERS)}…` : plain}"`
}
