// `$DATA_DIR/last-backup.json`: when the newest backup was made by the command line, of which database, and where it went. An upgrade asks for it.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const LastBackupSchema = Type.Object({
  folder: Type.String(),
  kind: Type.Union([Type.Literal('rows'), Type.Literal('base')]),
  as_of: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT' }),
  database: Type.String(),
})
export type LastBackup = Static<typeof LastBackupSchema>

function lastBackupPath(dataDir: string): string {
  return path.join(dataDir, 'last-backup.json')
}

/** Undefined: none was made from this data folder, or the file is damaged. */
export function readLastBackup(dataDir: string): LastBackup | undefined {
  const file = lastBackupPath(dataDir)
  if (!existsSync(file)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Value.Check(LastBackupSchema, value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Not where there is no data folder: the database is then one that a service on another machine uses. Returns whether it was written. */
export function writeLastBackup(dataDir: string, backup: LastBackup): boolean {
  if (!existsSync(dataDir)) return false
  const file = lastBackupPath(dataDir)
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(backup, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
  return true
}
