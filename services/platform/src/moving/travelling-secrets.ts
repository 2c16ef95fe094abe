// Secrets of rows on their way: no file has one in the clear. Each row's are encrypted together, under a key of the export, which is itself under the passphrase.

import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { MoveProblem } from './move-problem.ts'
import type { MovedRow, MovedTable, SecretColumn } from './moved-tables.ts'

/** Its name among what the passphrase opens. */
export const EXPORT_KEY = 'export-key'
const PURPOSE = 'export of a reseller'

/** By column, as PostgreSQL writes them: `\x…` of bytes. */
export type Secrets = Readonly<Record<string, string | null>>

export type Travelling = {
  /** Bound to the table and to the rest of the row, which must not get another's secrets. */
  seal(table: string, row: string, secrets: Secrets): string
  open(table: string, row: string, sealed: string): Secrets
}

export function travelling(key: string): Travelling {
  const sealer = createSealer(key, PURPOSE)
  const contextOf = (table: string, row: string) => `${table}\n${row}`
  return {
    seal: (table, row, secrets) => sealer.seal(JSON.stringify(secrets), contextOf(table, row)).toString('base64'),
    open(table, row, sealed) {
      try {
        return JSON.parse(sealer.open(Buffer.from(sealed, 'base64'), contextOf(table, row))) as Secrets
      } catch (cause) {
        throw new MoveProblem(`Secrets of a row of ${table} do not belong to it. Make another export.`, { cause })
      }
    },
  }
}

/** Secrets of a row without the key of the installation that they are in. */
export function unlock(table: MovedTable, secretKey: string, row: MovedRow, secrets: Secrets): Secrets {
  return mapSealed(table, secrets, (value, { purpose, context }) => {
    try {
      return createSealer(secretKey, purpose).open(Buffer.from(value.slice(HEX_PREFIX.length), 'hex'), context(row))
    } catch (cause) {
      const fix = 'Enter them anew where they are, or export with --no-secrets.'
      throw new MoveProblem(`Secrets of ${table.name} cannot be opened with the secret key of this installation. ${fix}`, { cause })
    }
  })
}

/** The same, under the key of the installation that they come into. */
export function lock(table: MovedTable, secretKey: string, row: MovedRow, secrets: Secrets): Secrets {
  return mapSealed(table, secrets, (value, { purpose, context }) => {
    return `${HEX_PREFIX}${createSealer(secretKey, purpose).seal(value, context(row)).toString('hex')}`
  })
}

const HEX_PREFIX = '\\x'

/** The columns of the table, whatever else there is. */
function mapSealed(
  { secrets: columns = {} }: MovedTable,
  secrets: Secrets,
  change: (value: string, column: Exclude<SecretColumn, 'hash'>) => string,
): Secrets {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      const value = secrets[name] ?? null
      return [name, value === null || column === 'hash' ? value : change(value, column)]
    }),
  )
}
