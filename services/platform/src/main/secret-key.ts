import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

const SECRET_BYTES = 32
/** As of the setting SECRET_KEY. */
export const LEAST_KEY_LENGTH = 32

/** The installation's secret key: the one given, else the one kept in the data folder, made on first use. */
export function resolveSecretKey(dataDir: string, given: string | undefined): string {
  if (given !== undefined) return given
  const path = secretKeyPath(dataDir)
  mkdirSync(dataDir, { recursive: true })
  const draft = `${path}.${process.pid}`
  // The database is flushed to the disk as well, and its passwords follow from this key.
  writeFileSync(draft, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    // Kept from an earlier start, which is the usual case.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return requireWhole(path, readFileSync(path, 'utf8').trim())
}

/** What is encrypted with an empty or a short key can be read by anybody who tries. */
function requireWhole(path: string, key: string): string {
  if (key.length >= LEAST_KEY_LENGTH) return key
  throw new StartError(
    `${path} has fewer than ${LEAST_KEY_LENGTH} characters: it is not as it was written. Put it back from a backup, or set SECRET_KEY. ` +
      'Where nothing was started with it yet, remove it: the start makes one.',
  )
}

/** The key that a start on this data folder made, or `undefined` when there was none. Makes none. */
export function keptSecretKey(dataDir: string): string | undefined {
  const path = secretKeyPath(dataDir)
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

function secretKeyPath(dataDir: string): string {
  return join(dataDir, 'secret-key')
}
