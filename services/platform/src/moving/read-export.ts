// Opens an export that lies in a folder: what it holds, whether it is whole, and the key of its secrets.

import { lstat, realpath } from 'node:fs/promises'
import path from 'node:path'
import { BackupProblem } from '../backup/backup-problem.ts'
import { openKeys } from '../backup/passphrase.ts'
import { sha256OfFile } from '../history/file-store.ts'
import { type ExportManifest, readManifest } from './export-manifest.ts'
import { MoveProblem } from './move-problem.ts'
import { movedTables } from './moved-tables.ts'
import { EXPORT_KEY, type Travelling, travelling } from './travelling-secrets.ts'

export type OpenExport = {
  readonly folder: string
  readonly manifest: ExportManifest
  /** Of the manifest: what an import is known by. */
  readonly sha256: string
  readonly secrets: Travelling
}

const MAX_NAMED_PROBLEMS = 10

/** Everything that can be found wrong without reading the files. */
export async function openExport(folder: string, passphrase: string | undefined): Promise<OpenExport> {
  const { manifest, text, sha256, signature } = await readManifest(folder)
  requireDecidedTables(manifest)
  if (manifest.keys === null) {
    throw new MoveProblem(
      'The export was made with --no-secrets, for reading: without hashes of keys and passwords no device could go on. Make another one with a passphrase.',
    )
  }
  if (passphrase === undefined) {
    throw new MoveProblem('Secrets in the export are encrypted: give the passphrase that it was made with (--passphrase-file).')
  }
  const opened = await openKeys(passphrase, manifest.keys).catch((error: unknown) => {
    if (!(error instanceof BackupProblem)) throw error
    throw new MoveProblem('The passphrase is not the one that this export was made with.', { cause: error })
  })
  const key = opened.files[EXPORT_KEY]
  if (key === undefined || !opened.isSignatureOf(text, signature)) {
    throw new MoveProblem('manifest.json was changed after the export was made: its signature does not match. Make another export.')
  }
  return { folder, manifest, sha256, secrets: travelling(key) }
}

/** Each table that moves, once, and no other. */
function requireDecidedTables({ tables }: ExportManifest): void {
  const names = tables.map(({ name }) => name)
  const unknown = names.find((name) => !movedTables.some((each) => each.name === name))
  const missing = movedTables.find(({ name }) => names.filter((each) => each === name).length !== 1)?.name
  if (unknown !== undefined) throw new MoveProblem(`The export has a table "${unknown}", which does not move. Make it with this version.`)
  if (missing !== undefined) throw new MoveProblem(`The export has to have the table "${missing}" once. Make it with this version.`)
}

/** Reads every file. Throws a `MoveProblem` with those that are missing, cut, changed, or not within the folder. */
export async function checkFiles({ folder, manifest }: OpenExport, onProgress?: (share: number, name: string) => void): Promise<void> {
  const files = [...manifest.tables, ...manifest.readings]
  const root = await realpath(folder)
  const problems: string[] = []
  const seen = new Set<string>()
  for (const [nth, entry] of files.entries()) {
    if (problems.length === MAX_NAMED_PROBLEMS) break
    onProgress?.(nth / files.length, entry.file)
    const problem = seen.has(entry.file) ? 'is listed twice' : await problemOf(root, entry)
    seen.add(entry.file)
    if (problem !== undefined) problems.push(`${entry.file} ${problem}`)
  }
  if (problems.length > 0) {
    throw new MoveProblem(`The export is not as it was made: ${problems.join('; ')}. Copy it again, or make another one.`)
  }
}

type File = { readonly file: string; readonly bytes: number; readonly sha256: string }

async function problemOf(root: string, { file, bytes, sha256 }: File): Promise<string | undefined> {
  const wanted = path.join(root, file)
  try {
    const found = await lstat(wanted)
    // A link may lead anywhere on this machine.
    if (!found.isFile() || (await realpath(wanted)) !== wanted) return 'is no file within the folder'
    if (found.size !== bytes) return `has ${found.size} bytes, and had ${bytes}`
    return (await sha256OfFile(wanted)).sha256 === sha256 ? undefined : 'was changed'
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`
  }
}
