// Goal: an operator who set something wrongly is shown what, and never a secret. Method: the command line as a process; every setting of both services.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { EngineSettingsSchema } from '@roadworthy/engine/settings'
import { PlatformSettingsSchema } from '@roadworthy/platform/main/settings/settings'
import { roadworthy } from '../../../../test/support/command-line.ts'
import { secretOf } from '../environment-secret.ts'

/** Public halves, names and paths of files. */
const NO_SECRETS = /^(historyS3AccessKeyId|.*File)$/

test('every setting that is named like a secret is one, and may come from a file', () => {
  const all = { ...PlatformSettingsSchema.properties, ...EngineSettingsSchema.properties } as Record<string, { secret?: boolean }>
  const named = Object.entries(all).filter(([name]) => /password|passphrase|secret|token|key/i.test(name) && !NO_SECRETS.test(name))
  assert.ok(named.length >= 8)
  for (const [name, { secret }] of named) assert.equal(secret, true, name)
})

test('config shows what is set, from where, what is misspelt, and what the service would refuse', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const env = 'DATABASE_URL=postgresql://me:hush@db.example.com/fleet\nPORT=9000\nDATABSE_URL=x\nSMTP_URL=hush\n'
  writeFileSync(path.join(folder, 'service.env'), env)
  const [given, plain] = await Promise.all([
    roadworthy(['config', '--env-file', 'service.env', '--changed', '--json'], { cwd: folder }),
    roadworthy(['config'], { cwd: folder, env: { MQTT_PROT: '1884', ROADWORTHY_API_KEY: 'rw_live_hush' } }),
  ])
  const answer = JSON.parse(given.stdout) as {
    settings: { name: string; value: string }[]
    unknown: { closest: string }[]
    problems: string[]
  }
  const values = Object.fromEntries(answer.settings.map(({ name, value }) => [name, value]))
  assert.deepEqual([values['DATABASE_URL'], values['PORT']], ['postgresql://me:***@db.example.com/fleet', '9000'])
  assert.equal(answer.unknown[0]?.closest, 'DATABASE_URL')
  assert.match(answer.problems.join(), /SMTP_URL is "\(hidden\)"/)
  assert.equal(given.code, 1)
  assert.equal(plain.code, 0, plain.stderr)
  assert.match(plain.stdout, /^MQTT_PORT +1883 +default$/m)
  assert.match(plain.stdout, /^ENGINE_WORKERS /m)
  assert.match(plain.stderr, /^MQTT_PROT: there is no such setting\. Did you mean MQTT_PORT\?$/m)
  assert.doesNotMatch([given, plain].map(({ stdout, stderr }) => stdout + stderr).join(), /hush/)
})

test("the command line's own secrets come from files too", (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'passphrase')
  writeFileSync(file, 'seven words\n')
  assert.equal(secretOf({ BACKUP_PASSPHRASE_FILE: file }, 'BACKUP_PASSPHRASE'), 'seven words')
  assert.throws(() => secretOf({ BACKUP_PASSPHRASE_FILE: file, BACKUP_PASSPHRASE: 'x' }, 'BACKUP_PASSPHRASE'), /both set; keep one/)
  assert.throws(() => secretOf({ BACKUP_PASSPHRASE_FILE: folder }, 'BACKUP_PASSPHRASE'), /cannot be read \(EISDIR\)/)
})
