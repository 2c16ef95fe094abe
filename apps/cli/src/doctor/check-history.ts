// The history: whether old readings leave PostgreSQL, and whether the place that they go to takes a file and gives it back.

import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadDuckdb } from '@roadworthy/platform/history/duckdb'
import { type HistoryPlace, openHistory } from '@roadworthy/platform/history/history-place'
import { newId } from '@roadworthy/service-kit/ids'
import { type Finding, okay, warning, wrong } from '../finding.ts'

const NAME = 'history'
const WHY = 'A reading takes 420 to 920 bytes there until its retention ends, and 3 to 18 in files (measured: docs/guides/history.md).'
const CONTENT = 'of npx roadworthy doctor\n'

/** Undefined: nothing is set, and PostgreSQL is not the embedded one. A folder that is missing stays missing: the service makes it, as its own account. */
export async function checkHistory(place: HistoryPlace | undefined): Promise<Finding> {
  if (place === undefined) {
    return warning(NAME, {
      detail: 'readings of every age stay in PostgreSQL: neither HISTORY_DIR nor HISTORY_S3_BUCKET is set.',
      why: WHY,
      fix: 'Set one of them, to a folder or a bucket that every process of the installation sees.',
    })
  }
  if ((await loadDuckdb()) === undefined) {
    return warning(NAME, {
      detail: 'readings of every age stay in PostgreSQL: @duckdb/node-api, which writes and reads the files, is not installed.',
      why: WHY,
      fix: 'npm install, without --omit=optional. It has builds for Linux with glibc, macOS and Windows.',
    })
  }
  const where = place.kind === 'folder' ? place.folder : `the bucket ${place.bucket.name}`
  if (place.kind === 'folder' && !existsSync(place.folder)) return okay(NAME, `${where}, which is made for the first week that is sealed`)
  try {
    await storeAndFetch(place)
    return okay(NAME, `${where} takes files and gives them back`)
  } catch (error) {
    const { code, name, message } = error as NodeJS.ErrnoException
    return wrong(NAME, {
      detail: `${where} does not take a file and give it back: ${code ?? name}, ${message}.`,
      why: 'Old readings cannot be sealed and stay in PostgreSQL; those that were sealed may not be read.',
      fix:
        place.kind === 'folder'
          ? `Give the folder to the account of the service: chown -R USER ${place.folder}; run this as that account.`
          : 'Compare HISTORY_S3_URL, _REGION, _BUCKET and the access key with the store; the key needs to read, write and remove objects.',
    })
  }
}

/** As sealing does it, under a name that no sealed file has. */
async function storeAndFetch(place: HistoryPlace): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'roadworthy-doctor-'))
  const { store, close } = await openHistory(place.kind === 'folder' ? place : { ...place, folder: scratch })
  const name = `doctor-${newId('srf')}`
  // Nothing is made in a folder of the service but the file: the account may be another than the service's.
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
    await rm(scratch, { recursive: true, force: true })
    close()
  }
}
