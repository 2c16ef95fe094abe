// Small files of a data folder that only their owner may read.

import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'

const OWNER_ONLY = 0o600

/** Undefined: there is none, or it is damaged. */
export function readPrivateJson<Schema extends TSchema>(path: string, schema: Schema): Static<Schema> | undefined {
  if (!existsSync(path)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return Value.Check(schema, value) ? (value as Static<Schema>) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whole or not at all, and never readable by others, not even while it is being written. What cannot be written, for a full disk, leaves nothing behind. */
export function writePrivateJson(path: string, value: object): void {
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: OWNER_ONLY })
    // The mode that is given is that of a new file only.
    chmodSync(draft, OWNER_ONLY)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
