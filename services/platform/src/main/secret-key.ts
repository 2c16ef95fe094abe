import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SECRET_BYTES = 32

/** The installation's secret key: the one given, else the one kept in the data folder, made on first use. */
export function resolveSecretKey(dataDir: string, given: string | undefined): string {
  if (given !== undefined) return given
  const path = secretKeyPath(dataDir)
  mkdirSync(dataDir, { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`, { mode: 0o600 })
  try {
    linkSync(draft, path)
  } catch (error) {
    // Kept from an earlier start, which is the usual case.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return readFileSync(path, 'utf8').trim()
}

/** The key that a start on this data folder made, or `undefined` when there was none. Makes none. */
export function keptSecretKey(dataDir: string): string | undefined {
  const path = secretKeyPath(dataDir)
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

function secretKeyPath(dataDir: string): string {
  return join(dataDir, 'secret-key')
}
