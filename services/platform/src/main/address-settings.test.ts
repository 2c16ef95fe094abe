import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseUrlOf, hostAndPort, localUrlOf } from './address-settings.ts'
import { readInvocation } from './settings.ts'

function refusal(env: Record<string, string>): string {
  const invocation = readInvocation([], env)
  assert.ok(invocation.kind === 'print' && invocation.exitCode === 2, JSON.stringify(env))
  return invocation.text
}

test('an address that is none is refused by the name of its setting', () => {
  for (const text of ['http://[::1', 'https://fleet example.com', 'https://fleet.example.com?tenant=1', 'https://fleet.example.com/#/home'])
    assert.match(
      refusal({ BASE_URL: text }),
      /^BASE_URL is ".*it must be a whole address.*--base-url https:\/\/fleet\.example\.com\.$/m,
      text,
    )
  assert.match(refusal({ ENGINE_URL: 'http://[::1' }), /^ENGINE_URL is "http:\/\/\[::1".*--engine-url http:\/\/engine:8090\.$/m)
})

test('a user in an address is refused, and not shown', () => {
  const text = refusal({ ENGINE_URL: 'http://user:hunter2@engine:8090' })
  assert.match(text, /^ENGINE_URL is "\(hidden\)"/)
  assert.doesNotMatch(text, /hunter2/)
})

test('a slash at the end of BASE_URL is not doubled in what is made of it', () => {
  const invocation = readInvocation([], { BASE_URL: 'https://fleet.example.com/' })
  assert.ok(invocation.kind === 'run')
  assert.equal(baseUrlOf(invocation.configuration.settings, 8080), 'https://fleet.example.com')
})

test('the address of this machine in IPv6 stands in brackets', () => {
  assert.equal(baseUrlOf({ host: '::1' }, 8080), 'http://[::1]:8080')
  assert.equal(localUrlOf('::1', 8080), 'http://[::1]:8080')
  assert.equal(hostAndPort({ host: 'fd00::5', port: 1883 }), '[fd00::5]:1883')
  assert.equal(baseUrlOf({ host: '::' }, 8080), 'http://localhost:8080')
  assert.equal(localUrlOf('::', 8080), 'http://127.0.0.1:8080')
})
