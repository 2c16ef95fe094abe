import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPrivateText } from './private-text.ts'
import { repositoryOf } from './repository.ts'

const check = (text: string, path = 'docs/a.md') => checkPrivateText(repositoryOf({ [path]: text })).map(({ line }) => line)

test('folders of one machine are found anywhere in the text', () => {
  assert.deepEqual(check('see\n`/home/ada/roadworthy/a.ts`'), [2])
  assert.deepEqual(check('cd /root/x'), [1])
  assert.deepEqual(check('C:\\Users\\ada'), [1])
})

test('folders of every machine, and paths that only end alike, are fine', () => {
  assert.deepEqual(check('/var/lib/roadworthy /tmp/x ./work/a.ts services/root/a https://example.com/home'), [])
})

test('package registries are found, npm itself is fine in prose but not in the lock file', () => {
  assert.deepEqual(check('from registry.internal.example.com'), [1])
  assert.deepEqual(check('artifactory.example.com, npm.pkg.github.com'), [1])
  assert.deepEqual(check(`from ${['registry', 'npmjs', 'org'].join('.')}, see registry.ts, registry.test.ts, registry.devices.find()`), [])
  assert.deepEqual(check(`{\n"resolved": "https://${['registry', 'npmjs', 'org'].join('.')}/a/-/a-1.0.0.tgz"\n}`, 'package-lock.json'), [2])
  assert.deepEqual(check('{\n"resolved": "packages/signals"\n}', 'package-lock.json'), [])
})
