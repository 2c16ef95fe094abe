// DuckDB, which writes and reads the sealed files. It is an optional dependency: where it is not installed, readings stay in PostgreSQL.

import { setTimeout as after } from 'node:timers'
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api'

export type Duckdb = typeof import('@duckdb/node-api')
export type DuckRow = Record<string, unknown>

/** For what is written and sorted in memory before it goes to disk. */
const MEMORY_LIMIT = '256MB'
const THREADS = '2'

/** Undefined where it is not installed. */
export async function loadDuckdb(): Promise<Duckdb | undefined> {
  try {
    return await import('@duckdb/node-api')
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND' || (error as { code?: unknown }).code === 'MODULE_NOT_FOUND')
      return undefined
    throw error
  }
}

/** A database that loads nothing from elsewhere, in `file` or in memory, and what it cannot hold there in `spillFolder`. */
export async function openDuckdb(duckdb: Duckdb, file: string, spillFolder: string): Promise<DuckDBInstance> {
  return await duckdb.DuckDBInstance.create(file, {
    ...{ threads: THREADS, memory_limit: MEMORY_LIMIT, temp_directory: spillFolder },
    ...{ autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' },
  })
}

/** All rows of a statement. It is interrupted when it has not answered by then. */
export async function allRows(
  connection: DuckDBConnection,
  sql: string,
  values: readonly DuckDBValue[],
  timeoutMs: number,
): Promise<DuckRow[]> {
  const timer = after(() => connection.interrupt(), timeoutMs)
  try {
    const reader = await connection.runAndReadAll(sql, [...values])
    return reader.getRowObjectsJS() as DuckRow[]
  } finally {
    clearTimeout(timer)
  }
}
