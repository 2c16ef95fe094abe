// Statements on sealed files, for answers: a few at once, each within a time, by a DuckDB that reaches nothing but the files.

import { mkdir } from 'node:fs/promises'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { allRows, type DuckRow, loadDuckdb, openDuckdb } from './duckdb.ts'
import { lockDown } from './parquet.sql.ts'

/** Each takes up to two threads and shares the memory. Assumption: answers of before are asked for by people who look at something. */
const MAX_RUNNING = 2
const MAX_WAITING = 30
/** As a statement of PostgreSQL may take. */
const TIMEOUT_MS = 5_000
const RETRY_AFTER_S = 5

export type FileReaderOptions = {
  readonly folders: readonly string[]
  readonly spillFolder: string
  /** For tests of where it is not installed. */
  readonly load?: typeof loadDuckdb
}

export class FileReader {
  readonly #load: typeof loadDuckdb
  readonly #folders: readonly string[]
  readonly #spillFolder: string
  #instance: Promise<DuckDBInstance> | undefined
  #runningCount = 0
  readonly #waiting: (() => void)[] = []
  readonly #connections = new Set<DuckDBConnection>()
  #isClosed = false
  #onIdle: (() => void) | undefined

  /** Files are read below `folders` only. */
  constructor({ folders, spillFolder, load = loadDuckdb }: FileReaderOptions) {
    this.#load = load
    this.#folders = folders
    this.#spillFolder = spillFolder
  }

  /** Refuses with `overloaded` when too many wait, and when it takes too long. */
  async rows(sql: string): Promise<DuckRow[]> {
    await this.#enter()
    try {
      const instance = await this.#open()
      const connection = await instance.connect()
      this.#connections.add(connection)
      try {
        return await allRows(connection, sql, [], TIMEOUT_MS)
      } catch (error) {
        if (/^INTERRUPT/i.test((error as Error).message))
          throw busy('Reading that much of the past takes too long. Ask for a shorter range.')
        throw error
      } finally {
        this.#connections.delete(connection)
        connection.closeSync()
      }
    } finally {
      this.#leave()
    }
  }

  /** What is under way is interrupted. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const connection of this.#connections) connection.interrupt()
    if (this.#runningCount > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
    const instance = await this.#instance
    this.#instance = undefined
    instance?.closeSync()
  }

  #open(): Promise<DuckDBInstance> {
    this.#instance ??= this.#start()
    // The next one tries again.
    this.#instance.catch(() => {
      this.#instance = undefined
    })
    return this.#instance
  }

  async #start(): Promise<DuckDBInstance> {
    const duckdb = await this.#load()
    if (duckdb === undefined) {
      throw new Problem(
        'unavailable',
        'Readings of that time are in sealed files, and this process cannot read them: @duckdb/node-api is not installed.',
      )
    }
    for (const folder of [...this.#folders, this.#spillFolder]) await mkdir(folder, { recursive: true })
    const instance = await openDuckdb(duckdb, ':memory:', this.#spillFolder)
    const connection = await instance.connect()
    for (const statement of lockDown(this.#folders)) await connection.run(statement)
    connection.closeSync()
    return instance
  }

  async #enter(): Promise<void> {
    if (this.#isClosed) throw new Problem('draining', 'The service is stopping.', { retryAfterS: RETRY_AFTER_S })
    if (this.#runningCount < MAX_RUNNING) {
      this.#runningCount++
      return
    }
    if (this.#waiting.length >= MAX_WAITING) throw busy('Too many requests read readings of before at this moment.')
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Its place goes to the next. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next !== undefined) {
      next()
      return
    }
    this.#runningCount--
    if (this.#runningCount === 0) this.#onIdle?.()
  }
}

function busy(message: string): Problem {
  return new Problem('overloaded', message, { retryAfterS: RETRY_AFTER_S })
}
