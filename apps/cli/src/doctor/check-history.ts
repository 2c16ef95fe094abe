// The history: whether old readings leave PostgreSQL, and whether the place that they go to takes a file and gives it back.

import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storedSha256 } from '@roadworthy/platform/backup/history-parts'
import { loadDuckdb } from '@roadworthy/platform/history/duckdb'
import type { FileStore } from '@roadworthy/platform/history/file-store'
import { type HistoryPlace, openHistory } from '@roadworthy/platform/history/history-place'
import type { SealedExtremes } from '@roadworthy/platform/history/sealed-files.sql'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type Finding, okay, warning, wrong } from '../finding.ts'

const NAME = 'history'
const WHY = 'A reading takes 420 to 920 bytes there until its retention ends, and 3 to 18 in files (measured: docs/guides/history.md).'
const INSTALL = 'npm install, without --omit=optional'
const CONTENT = 'of npx roadworthy doctor\n'

/**
 * `place` undefined: nothing is set, and PostgreSQL is not the embedded one. A folder that is missing stays missing: the service makes it, as its own account.
 * `sealed` undefined: no readings are in files, or it is not known.
 */
export async function checkHistory(place: HistoryPlace | undefined, sealed?: SealedExtremes, load = loadDuckdb): Promise<Finding> {
  if (place === undefined) {
    if (sealed !== undefined && sealed.fileCount > 0) return lacksPlace(sealed)
    return warning(NAME, {
      detail: 'readings of every age stay in PostgreSQL: neither HISTORY_DIR nor HISTORY_S3_BUCKET is set.',
      why: WHY,
      fix: 'Set one of them, to a folder or a bucket that every process of the installation sees.',
    })
  }
  if ((await load()) === undefined) return lacksDuckdb(sealed)
  const where = place.kind === 'folder' ? place.folder : `the bucket ${place.bucket.name}`
  if (place.kind === 'folder' && !existsSync(place.folder) && !(sealed !== undefined && sealed.fileCount > 0))
    return okay(NAME, `${where}, which is made for the first week that is sealed`)
  try {
    const problem = await findLost(place, sealed?.files ?? [])
    if (problem !== undefined) return lost(where, problem)
    await storeAndFetch(place)
    return okay(NAME, `${where} takes files and gives them back`)
  } catch (error) {
    const { code, name, message } = error as NodeJS.ErrnoException
    return wrong(NAME, {
      detail: `${where} does not take a file and give it back: ${code ?? name}, ${message.replace(/\.$/, '')}.`,
      why: 'Old readings cannot be sealed and stay in PostgreSQL; those that were sealed may not be read.',
      fix: fixOf(place, error as NodeJS.ErrnoException),
    })
  }
}

export function fixOf(place: HistoryPlace, { code, message }: NodeJS.ErrnoException): string {
  if (place.kind === 'folder') return fixOfFolder(place.folder, code)
  if (/is not installed/.test(message)) return `${INSTALL}.`
  return 'Compare HISTORY_S3_URL, _REGION, _BUCKET and the access key with the store; the key needs to read, write and remove objects.'
}

function fixOfFolder(folder: string, code: string | undefined): string {
  if (code === 'ENOSPC') return `Free some room on the disk of ${folder}, or enlarge it.`
  if (code === 'EROFS')
    return `Mount the disk of ${folder} for writing. Below systemd, name the folder in ReadWritePaths (docs/guides/deployment.md).`
  return `Give the folder to the account of the service: chown -R USER ${folder}; run this as that account.`
}

function lacksPlace({ until, fileCount }: SealedExtremes): Finding {
  return wrong(NAME, {
    detail: `readings recorded before ${until.toISOString()} are in ${fileCount} files, and neither HISTORY_DIR nor HISTORY_S3_BUCKET names where.`,
    why: 'They are not shown: lists, charts and tracks begin at that time.',
    fix: 'Set the folder or the bucket that they were sealed into, for every process of the installation.',
  })
}

function lacksDuckdb(sealed: SealedExtremes | undefined): Finding {
  const fix = `${INSTALL}. It has builds for Linux with glibc, macOS and Windows.`
  if (sealed === undefined || sealed.fileCount === 0) {
    const detail = 'readings of every age stay in PostgreSQL: @duckdb/node-api, which writes and reads the files, is not installed.'
    return warning(NAME, { detail, why: WHY, fix })
  }
  return wrong(NAME, {
    detail: `readings recorded before ${sealed.until.toISOString()} are in ${sealed.fileCount} files, and @duckdb/node-api, which reads them, is not installed.`,
    why: 'Requests for readings of that time are answered with 503, and no further week is sealed.',
    fix,
  })
}

function lost(where: string, problem: string): Finding {
  return wrong(NAME, {
    detail: `${problem} in ${where}.`,
    why: 'Requests for readings of that time are answered with 503.',
    fix: 'Name the folder or bucket that the files were sealed into, or put them back from a backup (its folder history). "npx roadworthy history verify" reads all of them.',
  })
}

/** A restore without the files of the history, or with another bucket than the service has. Undefined: each is there. */
async function findLost(place: HistoryPlace, files: SealedExtremes['files']): Promise<string | undefined> {
  return await withStore(place, async (store) => {
    for (const { path, sha256 } of files) {
      const found = await storedSha256(store, path)
      if (found === undefined) return `the sealed file ${path} is not`
      if (found !== sha256) return `the sealed file ${path} is not as it was sealed`
    }
    return undefined
  })
}

/** Nothing is made in a folder of the service: the account may be another than the service's. */
async function withStore<T>(place: HistoryPlace, run: (store: FileStore) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), 'roadworthy-doctor-'))
  const { store, close } = await openHistory(place.kind === 'folder' ? place : { ...place, folder: scratch })
  try {
    return await run(store)
  } finally {
    await rm(scratch, { recursive: true, force: true })
    close()
  }
}

/** As sealing does it, under a name that no sealed file has. */
async function storeAndFetch(place: HistoryPlace): Promise<void> {
  await withStore(place, async (store) => {
    const name = `doctor-${newId('srf')}`
    const staged = join(place.kind === 'folder' ? place.folder : store.stagingFolder, `${name}.staged`)
    try {
      if (place.kind === 'bucket') await mkdir(store.stagingFolder, { recursive: true })
      await writeFile(staged, CONTENT)
      await store.put(staged, name)
      const found = await readFile(await store.fetch(name), 'utf8')
      if (found !== CONTENT) throw new Error(`it gave back ${found.length} other characters`)
      await store.remove(name)
    } finally {
      await rm(staged, { force: true })
    }
  })
}
