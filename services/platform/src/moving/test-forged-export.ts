// For tests only: exports that somebody has changed who knows the passphrase, so that every hash and the signature are right.

import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { checkOf } from '../backup/manifest.ts'
import { openKeys, sealKeys } from '../backup/passphrase.ts'
import { RowSum } from '../backup/rows-digest.ts'
import type { ExportManifest } from './export-manifest.ts'
import { PASSPHRASE, temporaryFolder } from './test-moving.ts'

type Changeable<T> = { -readonly [K in keyof T]: T[K] }
export type Forged = {
  readonly folder: string
  readonly manifest: Changeable<ExportManifest>
  /** Replaces lines of a table. */
  lines(table: string, change: (lines: string[]) => string[]): void
  /** Replaces a file of readings by these lines. */
  readings(nth: number, lines: string[]): void
}

/** A copy that `change` has changed, signed anew. */
export async function forge(t: CleanUp, source: string, change: (forged: Forged) => void): Promise<string> {
  const folder = path.join(temporaryFolder(t), 'forged')
  cpSync(source, folder, { recursive: true })
  const manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as ExportManifest
  const write = (entry: { file: string; bytes: number; sha256: string; rowCount: number }, lines: string[]) => {
    const text = lines.map((line) => `${line}\n`).join('')
    writeFileSync(path.join(folder, entry.file), text)
    Object.assign(entry, {
      bytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
      rowCount: lines.length,
    })
    return text
  }
  change({
    ...{ folder, manifest },
    lines(table, changeLines) {
      const entry = manifest.tables.find(({ name }) => name === table)
      if (entry === undefined) throw new Error(`no table ${table}`)
      const lines = changeLines(readFileSync(path.join(folder, entry.file), 'utf8').split('\n').slice(0, -1))
      write(entry, lines)
      const sum = new RowSum()
      for (const line of lines) sum.add(line.replace(/,"secrets":"[^"]*"\}$/, '}'))
      entry.rowsDigest = sum.digest
    },
    readings(nth, lines) {
      const entry = manifest.readings[nth]
      if (entry === undefined) throw new Error(`no readings ${nth}`)
      Object.assign(entry, { form: 'ndjson', file: entry.file.replace('.parquet', '.ndjson') })
      entry.contentSha256 = createHash('sha256').update(write(entry, lines)).digest('hex')
    },
  })
  await sign(folder, manifest)
  return folder
}

/** The least that a manifest may have: an export is opened in every test. */
const CHEAP_SCRYPT = { N: 2 ** 14, r: 8, p: 1 }
const opened = new Map<string, ReturnType<typeof openKeys>>()

async function sign(folder: string, manifest: ExportManifest): Promise<void> {
  const { keys } = manifest
  if (keys === null) throw new Error('no keys')
  const opening = opened.get(keys.salt) ?? openKeys(PASSPHRASE, keys)
  opened.set(keys.salt, opening)
  const { files } = await opening
  const { box, sign: signatureOf } = await sealKeys(PASSPHRASE, files, CHEAP_SCRYPT)
  const text = JSON.stringify({ ...manifest, keys: box })
  writeFileSync(path.join(folder, 'manifest.json'), text)
  writeFileSync(path.join(folder, 'manifest.check.json'), checkOf(text, signatureOf(text)))
}
