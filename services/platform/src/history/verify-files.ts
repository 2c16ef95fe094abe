// Whether the files of the history are what they were when they were sealed.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Duckdb } from './duckdb.ts'
import type { FileStore } from './file-store.ts'
import { contentOfFile } from './sealed-file.ts'
import { type SealedFile, selectLiveFilesAcrossResellers } from './sealed-files.sql.ts'

export type Verified = { readonly path: string /** Undefined: it is as it was. */; readonly problem: string | undefined }

const PAGE = 100

/** Reads every live file whole, one after the other. */
export async function* verifyFiles(deps: {
  readonly database: Database
  readonly store: FileStore
  readonly duckdb: Duckdb
}): AsyncGenerator<Verified> {
  for (let after = ''; ; ) {
    const files = await selectLiveFilesAcrossResellers(deps.database.systemPool, { after, limit: PAGE })
    for (const file of files) yield { path: file.path, problem: await problemOf(deps.duckdb, deps.store, file) }
    const last = files.at(-1)
    if (last === undefined) return
    after = last.fileId
  }
}

async function problemOf(duckdb: Duckdb, store: FileStore, file: SealedFile): Promise<string | undefined> {
  try {
    const { sha256, contentSha256, readingCount } = await contentOfFile(duckdb, store, file.path)
    if (sha256 !== file.sha256) return 'its bytes are not those that were written'
    return contentSha256 === file.contentSha256 && readingCount === file.readingCount
      ? undefined
      : 'its readings are not those that were sealed'
  } catch (error) {
    // DuckDB adds the statement, which has all columns.
    return `it cannot be read: ${(error as Error).message.split('\n')[0]}`
  }
}
