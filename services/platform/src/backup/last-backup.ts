// `$DATA_DIR/last-backup.json`: when the newest backup was made by the command line, of which database, and where it went. An upgrade asks for it.

import { existsSync } from 'node:fs'
import path from 'node:path'
import { readPrivateJson, writePrivateJson } from '@roadworthy/service-kit/process/private-json-file'
import { type Static, Type } from 'typebox'

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
  return readPrivateJson(lastBackupPath(dataDir), LastBackupSchema)
}

/** Not where there is no data folder: the database is then one that a service on another machine uses. Returns whether it was written. */
export function writeLastBackup(dataDir: string, backup: LastBackup): boolean {
  if (!existsSync(dataDir)) return false
  writePrivateJson(lastBackupPath(dataDir), backup)
  return true
}
