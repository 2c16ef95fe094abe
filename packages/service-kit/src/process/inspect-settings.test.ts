// Goal: an operator sees what is set and where from, and no secret. Method: a small schema, real files.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { Type } from 'typebox'
import { findUnknown, inspectSettings } from './inspect-settings.ts'
import { maskAddress, maskSecret } from './mask-address.ts'
import { formatEffective, formatProblems, loadSettings } from './settings.ts'

const schema = Type.Object({
  port: Type.Integer({ default: 8080, description: 'Port.' }),
  engineUrl: Type.Optional(Type.String({ description: 'Engine.', defaultText: 'an engine of its own' })),
  databaseUrl: Type.Optional(Type.String({ secret: true, description: 'Database.' })),
  databasePort: Type.Integer({ default: 0, description: 'Port of it.' }),
  secretKey: Type.Optional(Type.String({ secret: true, description: 'Key.' })),
})

function temporaryFolder(t: { after(run: () => void): void }): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-settings-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('each setting has its value and where it comes from, and passwords are masked in addresses as well', (t) => {
  const file = path.join(temporaryFolder(t), 'key')
  writeFileSync(file, 'very secret\n')
  const env = {
    DATABASE_URL: 'postgresql://me:hush@db.example.com/fleet?sslpassword=hush',
    SECRET_KEY_FILE: file,
    ENGINE_URL: 'http://a:hush@b',
  }
  const shown = inspectSettings(schema, ['--port', '9000'], env)
  assert.deepEqual(
    shown.map(({ name, value, source, from }) => [name, value, source, from]),
    [
      ['PORT', '9000', 'flag', '--port'],
      ['ENGINE_URL', 'http://a:***@b/', 'environment', 'ENGINE_URL'],
      ['DATABASE_URL', 'postgresql://me:***@db.example.com/fleet?sslpassword=***', 'environment', 'DATABASE_URL'],
      ['DATABASE_PORT', '0', 'default', null],
      ['SECRET_KEY', '(set)', 'file', `SECRET_KEY_FILE=${file}`],
    ],
  )
  assert.doesNotMatch(JSON.stringify(shown), /hush|very secret/)
  assert.deepEqual(
    [maskSecret('rwl1.abc'), maskSecret('postgresql://[broken'), maskAddress('10.0.0.0/8')],
    ['(set)', '(set)', '10.0.0.0/8'],
  )
})

test('a secret in a file loses the end of its line and nothing else; what is no such file is refused with the reason', (t) => {
  const folder = temporaryFolder(t)
  const load = (name: string, text?: string) => {
    const file = path.join(folder, name)
    if (text !== undefined) writeFileSync(file, text)
    return loadSettings(schema, [], { SECRET_KEY_FILE: file })
  }
  const secretOf = (loaded: ReturnType<typeof load>) => (loaded.kind === 'settings' ? loaded.secrets['secretKey'] : loaded)
  assert.equal(secretOf(load('newline', ' with blanks \r\n\n')), ' with blanks ')
  assert.equal(secretOf(load('plain', 'two\nlines')), 'two\nlines')
  const refusalOf = (loaded: ReturnType<typeof load>) => (loaded.kind === 'problems' ? loaded.problems[0]?.fix : assert.fail())
  assert.match(refusalOf(load('empty', '\n')) ?? '', /the file is empty/)
  assert.match(refusalOf(load('large', 'x'.repeat(65_537))) ?? '', /more than 65536 bytes/)
  assert.match(refusalOf(load('absent')) ?? '', /cannot be read \(ENOENT\)/)
  mkdirSync(path.join(folder, 'folder'))
  assert.match(refusalOf(load('folder')) ?? '', /cannot be read \(EISDIR\)/)
})

test('variables that look like a setting are named, those of other programs are not', () => {
  const known = ['PORT', 'DATABASE_URL', 'DATABASE_PORT', 'SECRET_KEY', 'LOG_LEVEL']
  const others = { HOME: '/', PATH: '/bin', LANG: 'C', NODE_VERSION: '24', HOSTNAME: 'a', LOGNAME: 'me', NVM_DIR: '/', SSH_CLIENT: 'x' }
  const wrong = { DATABSE_URL: 'x', LOGLEVEL: 'x', DATABASE_PASSWORD: 'x', PORT_FILE: 'x', SECRET_KEY_FIEL: 'x' }
  const env = { ...others, ...wrong, PORT: '1', SECRET_KEY_FILE: 'x' }
  assert.deepEqual(
    findUnknown(env, known, ['DATABASE_URL', 'SECRET_KEY']).map(({ name, closest }) => [name, closest]),
    [
      ['DATABSE_URL', 'DATABASE_URL'],
      ['LOGLEVEL', 'LOG_LEVEL'],
      ['DATABASE_PASSWORD', undefined],
      ['PORT_FILE', 'PORT'],
      ['SECRET_KEY_FIEL', 'SECRET_KEY_FILE'],
    ],
  )
})

test('a refused setting, and the settings that a start would take, are shown without the passwords in their addresses', () => {
  const addresses = Type.Object({ brokerUrl: Type.String({ pattern: '^mqtts?://[^@]+$', description: 'Broker.' }) })
  for (const brokerUrl of [
    'mqtt://me:hush@broker.example.com',
    'mqtts://me:hu#sh@broker.example.com:8883',
    'mqtt://me:hush@b:99999?token=hush',
  ]) {
    const loaded = loadSettings(addresses, [], { BROKER_URL: brokerUrl })
    assert.ok(loaded.kind === 'problems')
    const text = formatProblems(loaded.problems)
    assert.match(text, /^BROKER_URL is "mqtts?:\/\/me:\*\*\*@b/)
    assert.doesNotMatch(text, /hu#?sh/)
  }
  assert.equal(formatEffective(addresses, { brokerUrl: 'http://me:hush@b/' }, {}), 'BROKER_URL=http://me:***@b/\n')
  assert.equal(maskAddress('mailto:security@example.com'), 'mailto:security@example.com')
})
