// Whether the database can write. A full disk fails some statements and not others, so what statements meet is believed, and when it is over a
// probe reports. The service is not ready in between: what is sent to it would only be refused.

import { statfs } from 'node:fs/promises'
import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import { type Database, type StorageError, storageSqlStates } from '@roadworthy/service-kit/postgres/db'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import { tryToWrite } from './storage.sql.ts'

const ROUND_MS = 5_000
/** Assumption: some hours of a busy instance. */
const LOW_BYTES = 1024 ** 3
const MIB = 1024 ** 2

export class StorageHealth {
  readonly #log: Logger
  readonly #dataDir: string
  #reason: string | undefined
  #freeBytes = Number.NaN

  constructor(dataDir: string, log: Logger) {
    this.#dataDir = dataDir
    this.#log = log
  }

  /** A statement failed by it. One line an outage. */
  failed({ code, message }: StorageError): void {
    const isNews = this.#reason === undefined
    this.#reason = storageSqlStates[code]
    if (isNews) this.#log.error({ code }, `the database cannot write: ${message}. Nothing is acknowledged until it can`)
  }

  check(): { ok: boolean; detail: string } {
    return this.#reason === undefined
      ? { ok: true, detail: 'takes writes' }
      : { ok: false, detail: `the database cannot write: ${this.#reason}` }
  }

  /** Of the file system that holds DATA_DIR; not a number until it was read. */
  freeBytes(): number {
    return this.#freeBytes
  }

  /** Tries to write while writing fails, and looks at the free space. */
  startRounds(database: Database): Rounds {
    const round = async () => {
      if (this.#reason !== undefined && (await database.system(tryToWrite))) {
        this.#reason = undefined
        this.#log.info('the database writes again')
      }
      await this.#measure()
      return ROUND_MS
    }
    return startRounds(round, ROUND_MS, (err) => this.#log.debug({ err }, 'the database still cannot write'))
  }

  async #measure(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#dataDir)
    const wasLow = this.#freeBytes < LOW_BYTES
    this.#freeBytes = bavail * bsize
    if (this.#freeBytes < LOW_BYTES && !wasLow) {
      this.#log.warn({ freeMib: Math.floor(this.#freeBytes / MIB) }, `the disk of DATA_DIR ${this.#dataDir} is nearly full`)
    }
  }
}
