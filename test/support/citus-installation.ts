// For tests: an installation whose database is the coordinator of a real Citus cluster, with the real service and the real command line.

import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MIGRATIONS } from '@roadworthy/platform/main/database/prepare-database'
import { insertResellerWithKey, lastFirst } from '@roadworthy/platform/surfaces/test-api'
import { openDatabasePatiently } from '@roadworthy/platform/test-support'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { migrate } from '@roadworthy/service-kit/postgres/migrate'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { RunningService } from '../e2e/running-service.ts'
import { TestCitus } from './citus.ts'
import { roadworthy } from './command-line.ts'
import type { Row } from './service.ts'

export const SECRET_KEY = 'test secret key, 32 characters or more'
export const COORDINATOR = 0
/** Shards are copied, and what is written meanwhile is copied after them. */
const COMMAND_TIMEOUT_MS = 240_000
const SETTLED_WITHIN_MS = 180_000

export class CitusInstallation {
  readonly citus: TestCitus
  /** Of the owner. */
  readonly url: string
  readonly folder: string
  readonly env: Record<string, string>

  private constructor(citus: TestCitus, folder: string) {
    this.citus = citus
    this.folder = folder
    this.url = citus.url(COORDINATOR, { user: 'roadworthy', database: 'roadworthy' })
    this.env = { DATABASE_URL: this.url, SECRET_KEY }
  }

  /** Removed after the test, when what `cleanUp` is given later has ended. */
  static async start(t: CleanUp, script: string, workerCount: number): Promise<{ at: CitusInstallation; cleanUp: CleanUp }> {
    const cleanUp = lastFirst(t)
    const citus = await TestCitus.start(script, workerCount)
    cleanUp.after(async () => citus.remove())
    const folder = mkdtempSync(join(tmpdir(), 'roadworthy-citus-installation-'))
    cleanUp.after(async () => rmSync(folder, { recursive: true, force: true }))
    return { at: new CitusInstallation(citus, folder), cleanUp }
  }

  argsOf(...args: string[]): string[] {
    return ['--data-dir', this.folder, ...args, '--database-url', this.url]
  }

  async run(...args: string[]) {
    return await roadworthy(this.argsOf(...args), { env: this.env, timeoutMs: COMMAND_TIMEOUT_MS })
  }

  async answerOf(...args: string[]): Promise<Record<string, never>> {
    const { code, stdout, stderr } = await this.run(...args, '--json')
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout) as Record<string, never>
  }

  async ask(sql: string, values: unknown[] = [], { user = 'roadworthy', database = 'roadworthy' } = {}): Promise<Row[]> {
    const at = this.citus.url(COORDINATOR, { user, database })
    const session = openDatabasePatiently(
      { app: at, system: at },
      { appConnections: 1, systemConnections: 1, onError: (error) => console.error(error) },
    )
    const { rows } = await session.systemPool.query(sql, values).finally(() => session.close())
    return rows as Row[]
  }

  /** Beside the one whose devices send, so that what they send is all that is billed to it. Answers its key. */
  async insertOtherReseller(): Promise<string> {
    const pools = { appConnections: 1, systemConnections: 1, onError: (error: Error) => console.error(error) }
    const database = openDatabasePatiently(databaseUrls(this.url, SECRET_KEY), pools)
    const { apiKey } = await insertResellerWithKey(database, 'alarms').finally(() => database.close())
    return apiKey
  }

  async startService(flags?: readonly string[]): Promise<RunningService> {
    const service = new RunningService(this.folder, flags, { env: { ...process.env, ...this.env } })
    await service.ready()
    return service
  }

  /** One more process, as one that crashed is started again. */
  async startBeside(cleanUp: CleanUp): Promise<RunningService> {
    const service = new RunningService(mkdtempSync(join(this.folder, 'beside-')), undefined, { env: { ...process.env, ...this.env } })
    cleanUp.after(async () => void (await service.signal('SIGKILL')))
    await service.ready()
    return service
  }

  /** As the next release would. */
  async migrateFurther(): Promise<void> {
    const directory = join(this.folder, 'migrations-of-later')
    cpSync(MIGRATIONS, directory, { recursive: true })
    const sql = `alter table latest_states add column later text;
      alter table readings add column later text;
      create index readings_later on readings (source_id) where later is not null;`
    writeFileSync(join(directory, '9999_later.sql'), `-- Owner: readings. Of a later release.\n${sql}\n`)
    const { applied } = await migrate(this.url, { directory, secretKey: SECRET_KEY })
    assert.deepEqual(applied, ['9999_later.sql'])
  }

  /** Of all that their sources have reported, so that none of it is scored later. */
  async untilScored(vehicleIds: readonly string[]): Promise<void> {
    const waiting = `select from latest_states l left join vehicle_health h using (reseller_id, vehicle_id)
      where l.vehicle_id = any ($1) and (l.due or h.scored_at is null or h.scored_at < l.received_at) limit 1`
    await this.until('every vehicle is scored of what came last', async () => {
      const rows = await this.ask(waiting, [vehicleIds], { user: 'postgres' })
      return rows.length === 0
    })
  }

  /** Asks until it is so. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (let waitedMs = 0; waitedMs < SETTLED_WITHIN_MS; waitedMs += 100) {
      if (await isSo()) return
      await sleep(100)
    }
    assert.fail(`not within ${SETTLED_WITHIN_MS / 1000} s: ${what}`)
  }
}
