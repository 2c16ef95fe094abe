// Where the history of an installation is, by the settings; and the stores that are opened there.

import path from 'node:path'
import { type Bucket, openBucketStore } from './bucket-store.ts'
import { createFolderStore, type FileStore } from './file-store.ts'

export type HistoryPlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'bucket'; readonly bucket: Bucket /** For downloads. */; readonly folder: string; readonly maxCacheBytes: number }

export type OpenHistory = {
  readonly store: FileStore
  /** What DuckDB reads from. */
  readonly folders: readonly string[]
  close(): void
}

export async function openHistory(place: HistoryPlace): Promise<OpenHistory> {
  if (place.kind === 'folder') {
    const folder = path.resolve(place.folder)
    return { store: createFolderStore(folder), folders: [folder], close: () => undefined }
  }
  const folder = path.resolve(place.folder)
  const { close, ...store } = await openBucketStore({ ...place, folder })
  return { store, folders: [folder], close }
}
