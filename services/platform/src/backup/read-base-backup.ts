import { createReadStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { BASE_FORMAT, BASE_FORMAT_VERSION, type BaseManifest, BaseManifestSchema } from './base-manifest.ts'
import { readSigned, requireForm } from './manifest.ts'
import { writePart } from './part-file.ts'
import type { KeyFiles } from './passphrase.ts'
import { checkFiles, historyParts, openSigned } from './read-backup.ts'

export type OpenBase = { readonly folder: string; readonly manifest: BaseManifest; readonly keyFiles: KeyFiles }

const FORM = {
  ...{ format: BASE_FORMAT, version: BASE_FORMAT_VERSION, schema: BaseManifestSchema },
  otherwise: 'The folder holds no base backup, which --wal goes on from: "npx roadworthy backup --base" makes one.',
}

/** Throws a `BackupProblem` where it is none, was changed, or has another passphrase. */
export async function openBase(folder: string, passphrase: string): Promise<OpenBase> {
  const signed = await readSigned(folder)
  const manifest = requireForm(signed.value, FORM)
  return { folder, manifest, keyFiles: await openSigned(signed, passphrase, manifest.keys) }
}

export async function checkBase({ folder, manifest }: OpenBase, onProgress?: (share: number, name: string) => void): Promise<void> {
  await checkFiles(folder, [...manifest.files, ...historyParts(manifest.history)], onProgress)
}

/** What a cluster is started from: the files, and the folders that are empty. */
export async function copyCluster({ folder, manifest }: OpenBase, cluster: string, signal: AbortSignal | undefined): Promise<void> {
  for (const name of [...manifest.folders, 'pg_wal/archive_status', 'pg_wal/summaries']) {
    await mkdir(path.join(cluster, name), { recursive: true, mode: 0o700 })
  }
  for (const { file } of manifest.files) {
    await writePart(path.join(cluster, path.relative('cluster', file)), [createReadStream(path.join(folder, file))], signal)
  }
}

const SEGMENT = /^[0-9A-F]{24}$/
/** Of one log number: 4 GiB in segments of 16 MiB. */
const SEGMENTS_OF_LOG = 0x100

/** Where a segment is in the log, whatever its timeline. */
function positionOf(name: string): number {
  return Number.parseInt(name.slice(8, 16), 16) * SEGMENTS_OF_LOG + Number.parseInt(name.slice(16, 24), 16)
}

/**
 * What is missing in an archive for a restore of everything in it; undefined where nothing is. PostgreSQL takes the first segment that is not there for the end of the log, and would end
 * there without a word.
 */
export function findGap(names: readonly string[], { startWal, stopWal }: Pick<BaseManifest, 'startWal' | 'stopWal'>): string | undefined {
  const positions = new Set(names.filter((name) => SEGMENT.test(name)).map(positionOf))
  const last = Math.max(positionOf(stopWal), ...positions)
  for (let position = positionOf(startWal); position <= last; position++) {
    if (!positions.has(position)) return `${startWal.slice(0, 8)}${hex(position / SEGMENTS_OF_LOG)}${hex(position % SEGMENTS_OF_LOG)}`
  }
  return undefined
}

/** Whether the log was read at least up to the last segment of an archive. A segment that is damaged is the end of the log for PostgreSQL too. */
export function isReadToEnd(names: readonly string[], reachedSegment: string): boolean {
  return names.filter((name) => SEGMENT.test(name)).every((name) => positionOf(name) <= positionOf(reachedSegment))
}

/** Segments and histories of timelines, and not what is being written under another name. */
export function isOfArchive(name: string): boolean {
  return SEGMENT.test(name) || /^[0-9A-F]{8}\.history$/.test(name)
}

function hex(part: number): string {
  return Math.floor(part).toString(16).toUpperCase().padStart(8, '0')
}

/** Names of what is in an archive for before the segment that a base backup needs first. */
export async function listOlderSegments(archive: string, { startWal }: BaseManifest): Promise<string[]> {
  const names = await readdir(archive)
  const isOlder = (name: string) => /^[0-9A-F]{24}(\.[0-9A-F]{8}\.backup)?$/.test(name) && positionOf(name) < positionOf(startWal)
  return names.filter(isOlder).sort()
}
