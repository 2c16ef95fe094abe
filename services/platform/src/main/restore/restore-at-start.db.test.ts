// Goal: RESTORE_FROM restores a backup into a database of one's own before the first start: once, also where the processes of an installation start together, and not
// at all where something is wrong. Method: a backup of a filled database, and empty databases that DATABASE_URL names.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { backUp, emptyDatabase, type Filled, fillDatabase, PASSPHRASE, temporaryFolder, withClient } from '../../backup/test-backup.ts'
import { onOnePostgres, TEST_SECRET_KEY } from '../../test-support.ts'
import { readInvocation } from '../settings/settings.ts'
import { StartError } from '../start-error.ts'
import { restoreAtFirstStart } from './restore-at-start.ts'

/** That `fillDatabase` stores. */
const COUNT = 2_003

const onOne = onOnePostgres('no backup is made')
const folder = temporaryFolder({ after })
const filled: Filled = await fillDatabase({ after })
let from = ''

before(async () => {
  if (onOne.skip === false) from = (await backUp(filled, join(folder, 'backup'))).folder
})

/** One start of a process with RESTORE_FROM; what it logged. */
async function start(databaseUrl: string, dataDir: string, changes: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = { DATABASE_URL: databaseUrl, SECRET_KEY: TEST_SECRET_KEY, RESTORE_FROM: from, RESTORE_PASSPHRASE: PASSPHRASE, ...changes }
  const invocation = readInvocation(['--data-dir', dataDir], { HISTORY_DIR: join(dataDir, 'history'), ...env })
  assert.ok(invocation.kind === 'run', JSON.stringify(invocation))
  const lines: string[] = []
  const log = createLogger('info', { write: (line: string) => void lines.push(line) })
  await restoreAtFirstStart(invocation.configuration, log, new AbortController().signal)
  return lines.join('')
}

async function countOf(databaseUrl: string): Promise<number> {
  return await withClient(databaseUrl, async (client) => Number((await client.query('select count(*) from readings')).rows[0].count))
}

test(
  'a database that is empty gets the backup, the data folder its key files; the next start ignores the setting, and says so',
  onOne,
  async (t) => {
    const [databaseUrl, dataDir] = [await emptyDatabase(t), temporaryFolder(t)]
    assert.match(await start(databaseUrl, dataDir), /restored .*backup/)
    assert.equal(await countOf(databaseUrl), COUNT)
    assert.ok(existsSync(join(dataDir, 'history')))
    // The key is what SECRET_KEY is.
    assert.deepEqual([existsSync(join(dataDir, 'credentials.json')), existsSync(join(dataDir, 'secret-key'))], [true, false])
    assert.match(await start(databaseUrl, dataDir), /RESTORE_FROM is ignored: there is an instance already \(in the database\)/)
    assert.equal(await countOf(databaseUrl), COUNT)
  },
)

test('without SECRET_KEY the data folder gets the key of the backup', onOne, async (t) => {
  const [databaseUrl, dataDir] = [await emptyDatabase(t), temporaryFolder(t)]
  const env = { DATABASE_URL: databaseUrl, RESTORE_FROM: from, RESTORE_PASSPHRASE: PASSPHRASE }
  const invocation = readInvocation(['--data-dir', dataDir, '--history-dir', join(dataDir, 'history')], env)
  assert.ok(invocation.kind === 'run')
  await restoreAtFirstStart(invocation.configuration, createLogger('silent'), new AbortController().signal)
  assert.equal(readFileSync(join(dataDir, 'secret-key'), 'utf8').trim(), TEST_SECRET_KEY)
})

test('of two processes that start together one restores, and both go on', onOne, async (t) => {
  const databaseUrl = await emptyDatabase(t)
  const HISTORY_DIR = temporaryFolder(t)
  const logs = await Promise.all([temporaryFolder(t), temporaryFolder(t)].map((dataDir) => start(databaseUrl, dataDir, { HISTORY_DIR })))
  assert.equal(logs.filter((log) => /"msg":"restored /.test(log)).length, 1, logs.join(''))
  assert.equal(logs.filter((log) => /another process restored the backup/.test(log)).length, 1, logs.join(''))
  assert.equal(await countOf(databaseUrl), COUNT)
})

test('a wrong passphrase is refused, and the database stays empty', onOne, async (t) => {
  const [databaseUrl, dataDir] = [await emptyDatabase(t), temporaryFolder(t)]
  await assert.rejects(
    start(databaseUrl, dataDir, { RESTORE_PASSPHRASE: 'another one' }),
    (error) => error instanceof StartError && /^RESTORE_FROM /.test(error.message),
  )
  const isMade = await withClient(
    databaseUrl,
    async (client) => (await client.query(`select to_regclass('readings') is not null as made`)).rows[0].made,
  )
  assert.equal(isMade, false)
})
