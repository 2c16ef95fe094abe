import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInvocation } from './settings.ts'

const defaults = { enginePort: 8090, host: '127.0.0.1', engineEdition: 'payg', logLevel: 'info', exitWithParent: false }

test('defaults, environment and flags, the nearer one wins', () => {
  assert.deepEqual(readInvocation([], {}), { kind: 'run', settings: defaults })
  // PORT is the platform's: an engine started beside it must not take it for its own.
  const env = { ENGINE_PORT: '1', PORT: '8080', HOST: '0.0.0.0' }
  const settings = { ...defaults, host: '0.0.0.0', exitWithParent: true }
  assert.deepEqual(readInvocation(['--port', '0', '--exit-with-parent'], env), { kind: 'run', settings: { ...settings, enginePort: 0 } })
  assert.deepEqual(readInvocation(['--port=7', '--exit-with-parent'], env), { kind: 'run', settings: { ...settings, enginePort: 7 } })
})

test('all bad settings are told at once, each by its name, with exit code 1', () => {
  const outcome = readInvocation(['--port', '65536'], { LOG_LEVEL: 'loud', ENGINE_EDITION: 'gold' })
  assert.ok(outcome.kind === 'print' && outcome.exitCode === 1)
  const names = outcome.text
    .trim()
    .split('\n')
    .map((line) => line.split(' ', 1)[0])
  assert.deepEqual(names, ['ENGINE_PORT', 'ENGINE_EDITION', 'LOG_LEVEL'])
  for (const args of [['--port', '-1'], ['--port'], ['--nonsense'], ['--edition', 'byol']]) {
    assert.deepEqual({ ...readInvocation(args, {}), text: '' }, { kind: 'print', text: '', exitCode: 1 }, args.join(' '))
  }
})
