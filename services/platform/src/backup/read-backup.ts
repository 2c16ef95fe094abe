// Opens a backup that lies in a folder: what it holds, whether it is whole, and what the passphrase opens.

import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Migration } from '@roadworthy/service-kit/postgres/migrate'
import { sha256OfFile } from '../history/file-store.ts'
import { BackupProblem } from './backup-problem.ts'
import { MANIFEST, MANIFEST_FORM, type Manifest, readSigned, requireForm, type SignedManifest } from './manifest.ts'
import { type KeyBox, type KeyFiles, openKeys } from './passphrase.ts'

export type OpenBackup = {
  readonly folder: string
  readonly manifest: Manifest
  /** What the passphrase opened; undefined where none was given, or the backup has no key. */
  readonly keyFiles: KeyFiles | undefined
  /** Those of this program that the backup's schema has. */
  readonly migrations: readonly Migration[]
}

/** Everything that can be found wrong without reading the parts. Throws a `BackupProblem` that names it. */
export async function openBackup(folder: string, passphrase: string | undefined, known: readonly Migration[]): Promise<OpenBackup> {
  const signed = await readSigned(folder)
  const manifest = requireForm(signed.value, MANIFEST_FORM)
  const migrations = requireKnown(manifest, known)
  const keyFiles = passphrase === undefined || manifest.keys === null ? undefined : await openSigned(signed, passphrase, manifest.keys)
  return { folder, manifest, keyFiles, migrations }
}

/** Throws where the passphrase is another one, or did not sign this manifest. */
export async function openSigned({ text, check }: SignedManifest, passphrase: string, box: KeyBox): Promise<KeyFiles> {
  const opened = await openKeys(passphrase, box)
  if (opened.isSignatureOf(text, check.hmacSha256 ?? '')) return opened.files
  throw new BackupProblem(`${MANIFEST} was changed after the backup was made: its signature does not match. Take another backup.`)
}

function requireKnown({ migrations, productVersion }: Manifest, known: readonly Migration[]): Migration[] {
  return migrations.map(({ name, sha256 }) => {
    const migration = known.find((each) => each.name === name)
    if (migration === undefined) {
      throw new BackupProblem(
        `The backup has a newer schema than this version knows (${name}). Install Roadworthy ${productVersion} or later.`,
      )
    }
    if (migration.sha256 === sha256) return migration
    throw new BackupProblem(`The backup has another ${name} than this version. Install Roadworthy ${productVersion}, which made it.`)
  })
}

/** Reads every part. Throws a `BackupProblem` with all that are missing, cut or changed. */
export async function checkParts({ folder, manifest }: OpenBackup, onProgress?: (share: number, name: string) => void): Promise<void> {
  await checkFiles(folder, [...manifest.tables, ...historyParts(manifest.history)], onProgress)
}

export async function checkFiles(
  folder: string,
  parts: readonly Part[],
  onProgress: ((share: number, name: string) => void) | undefined,
): Promise<void> {
  const problems: string[] = []
  for (const [nth, { file, bytes, sha256 }] of parts.entries()) {
    onProgress?.(nth / parts.length, file)
    const there = await stat(path.join(folder, file)).catch((error: NodeJS.ErrnoException) => error.code ?? error.message)
    if (typeof there === 'string') problems.push(`${file} cannot be read (${there})`)
    else if (there.size !== bytes) problems.push(`${file} has ${there.size} bytes, and had ${bytes}`)
    else if ((await sha256OfFile(path.join(folder, file))).sha256 !== sha256) problems.push(`${file} was changed`)
  }
  if (problems.length > 0) throw new BackupProblem(`The backup is not as it was made: ${problems.join('; ')}. Take another one.`)
}

type Part = { readonly file: string; readonly bytes: number; readonly sha256: string }

export function historyParts({ isIncluded, files }: Manifest['history']): Part[] {
  return isIncluded ? files.map((each) => ({ ...each, file: `history/${each.path}` })) : []
}
