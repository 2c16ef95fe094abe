import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '@roadworthy/contracts/scopes'
import { scopeGroups, scopesOfPreset, scopesText } from './api-key-scopes.ts'

test('every scope that can be granted can be chosen, once', () => {
  assert.deepEqual(scopeGroups.flatMap(({ choices }) => choices.map(({ scope }) => scope)).toSorted(), [...scopes].toSorted())
})

test('a preset that only reads changes nothing, and one that sends reads nothing', () => {
  const read = scopesOfPreset('read', ['*'])
  assert.ok(read.includes('vehicles:read') && read.every((scope) => scope.endsWith(':read')), read.join())
  assert.ok(scopesOfPreset('ingest', ['*']).every((scope) => scope.endsWith(':write')))
  assert.deepEqual([scopesOfPreset('full', []), scopesOfPreset('custom', ['predict'])], [['*'], ['predict']])
})

test('full access is called by its name, however the key got it', () => {
  assert.equal(scopesText(['sandbox:*']), 'Full access')
  assert.equal(scopesText(['predict', 'devices:read']), 'predict, devices:read')
})
