// `manifest.json` of a backup: what it holds, and the hash of each part. `manifest.check.json` beside it has the hash of the manifest itself, and its signature under the
// passphrase (ADR 0042 has the format).

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { BackupProblem } from './backup-problem.ts'
import { streamOf, writePart } from './part-file.ts'
import { KeyBoxSchema, type SealedKeys } from './passphrase.ts'

export const MANIFEST = 'manifest.json'
export const MANIFEST_CHECK = 'manifest.check.json'
export const FORMAT = 'roadworthy-backup'
/** Grows when an earlier program would misread what a later one writes. */
export const FORMAT_VERSION = 1

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })
/** Below the backup, and never above it. */
const Path = Type.String({ pattern: '^(?!.*\\.\\.)[A-Za-z0-9_=.-]+(/[A-Za-z0-9_=.-]+)*$' })
const Count = Type.Integer({ minimum: 0 })
const File = { file: Path, bytes: Count, sha256: Sha256 }
export const FileSchema = Type.Object(File)
export const SealedFileSchema = Type.Object({ path: Path, bytes: Count, sha256: Sha256 })

const PartitionSchema = Type.Object({
  name: Name,
  bound: Type.String({ pattern: "^FOR VALUES FROM \\((MINVALUE|'[0-9: +.-]+')\\) TO \\((MAXVALUE|'[0-9: +.-]+')\\)$" }),
  options: Type.Array(Type.String({ pattern: '^[a-z_.]+=[A-Za-z0-9._-]+$' })),
  isClosed: Type.Boolean(),
})

const TableSchema = Type.Object({
  name: Name,
  columns: Type.Array(Name),
  rowCount: Count,
  rowsDigest: Sha256,
  ...File,
  isPartitioned: Type.Boolean(),
  partitions: Type.Array(PartitionSchema),
})

const ManifestSchema = Type.Object({
  format: Type.Literal(FORMAT),
  formatVersion: Type.Integer(),
  productVersion: Type.String(),
  madeAt: Type.String(),
  /** Of the transaction in which everything was read, by the database's clock. */
  snapshotAt: Type.String(),
  postgresVersion: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String({ pattern: '^[0-9]{4}_[a-z0-9_]+\\.sql$' }), sha256: Sha256 }), { minItems: 1 }),
  tables: Type.Array(TableSchema),
  sequences: Type.Array(Type.Object({ name: Name, lastValue: Type.String({ pattern: '^-?[0-9]+$' }) })),
  history: Type.Object({
    isIncluded: Type.Boolean(),
    files: Type.Array(SealedFileSchema),
  }),
  keys: Type.Union([KeyBoxSchema, Type.Null()]),
  notIncluded: Type.Array(Type.Object({ what: Type.String(), why: Type.String() })),
})
export type Manifest = Static<typeof ManifestSchema>
export type TableEntry = Static<typeof TableSchema>
export type PartitionEntry = Static<typeof PartitionSchema>

const CheckSchema = Type.Object({ sha256: Sha256, hmacSha256: Type.Union([Sha256, Type.Null()]) })
type Check = Static<typeof CheckSchema>

/** What a folder holds, by its manifest, which is as it was written. */
export type SignedManifest = { readonly value: unknown; readonly text: string; readonly check: Check }

/** Writes it into the folder, and beside it what shows that it is whole and whose. `keys`: of what is signed. */
export async function writeManifest(folder: string, manifest: object, keys: SealedKeys | undefined): Promise<void> {
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`
  await writePart(path.join(folder, MANIFEST), [streamOf(text)])
  await writePart(path.join(folder, MANIFEST_CHECK), [streamOf(checkOf(text, keys?.sign(text) ?? null))])
}

export function checkOf(text: string, signature: string | null): string {
  return `${JSON.stringify({ sha256: sha256Of(text), hmacSha256: signature } satisfies Check, undefined, 2)}\n`
}

/** Throws where it is no backup, or its manifest not as it was written. */
export async function readSigned(folder: string): Promise<SignedManifest> {
  const text = await readPart(folder, MANIFEST)
  const check = parse(MANIFEST_CHECK, await readPart(folder, MANIFEST_CHECK))
  if (!Value.Check(CheckSchema, check)) throw damaged(MANIFEST_CHECK)
  if (check.sha256 !== sha256Of(text)) throw damaged(MANIFEST)
  return { value: parse(MANIFEST, text), text, check }
}

/** Throws where the manifest is of something else, or of a later format. */
export function requireForm<T extends TSchema>(
  value: unknown,
  form: { format: string; version: number; schema: T; otherwise: string },
): Static<T> {
  const { format, formatVersion, productVersion } = (value ?? {}) as Partial<Manifest>
  if (format !== form.format) throw new BackupProblem(form.otherwise)
  if (formatVersion !== form.version) {
    throw new BackupProblem(
      `The backup has format ${formatVersion}, and this version reads ${form.version}. Install Roadworthy ${productVersion}, which made it.`,
    )
  }
  if (Value.Check(form.schema, value)) return value as Static<T>
  const [first] = Value.Errors(form.schema, value)
  throw new BackupProblem(`${MANIFEST} cannot be used: ${first?.instancePath ?? ''} ${first?.message ?? ''}.`)
}

export const MANIFEST_FORM = {
  ...{ format: FORMAT, version: FORMAT_VERSION, schema: ManifestSchema },
  otherwise: 'The folder holds no backup of rows: a base backup is restored with --wal.',
}

async function readPart(folder: string, name: string): Promise<string> {
  try {
    return await readFile(path.join(folder, name), 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new BackupProblem(`${folder} is no backup: there is no ${name}.`, { cause })
    throw cause
  }
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new BackupProblem(damaged(name).message, { cause })
  }
}

function damaged(name: string): BackupProblem {
  return new BackupProblem(`${name} is damaged: it is not as it was written. Take another backup.`)
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
