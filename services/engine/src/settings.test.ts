import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'

test('defaults, environment and flags, the nearer one wins', () => {
  const config = { host: '127.0.0.1', port: 8090, edition: 'payg', exitWithParent: false, isCheckOnly: false }
  assert.deepEqual(readConfig({}, []), { config })
  assert.deepEqual(readConfig({ ENGINE_PORT: '1', HOST: '0.0.0.0', ENGINE_EDITION: 'payg' }, ['--port', '0', '--exit-with-parent']), {
    config: { ...config, host: '0.0.0.0', port: 0, exitWithParent: true },
  })
})

test('all bad settings are told at once, each by its name', () => {
  const outcome = readConfig({ ENGINE_PORT: '80x', HOST: '', ENGINE_EDITION: 'gold' }, [])
  assert.ok('problems' in outcome)
  assert.deepEqual(
    outcome.problems.map((problem) => problem.split(' ', 1)[0]),
    ['ENGINE_PORT', 'HOST', 'ENGINE_EDITION'],
  )
  for (const args of [['--port', '65536'], ['--port', '-1'], ['--port'], ['--nonsense'], ['--edition', 'byol']])
    assert.ok('problems' in readConfig({}, args), args.join(' '))
})
