import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareVersions } from './model-versions.ts'

test('versions are ordered as SemVer orders them, and near-versions find their place', () => {
  const orders = [
    [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '1.2.0',
      '1.10.0',
    ],
    ['1', '2', '10', '11.5'],
    ['v1.9', '1.10', 'v2'],
    ['2024-06-01', '2024-06-02', '2024-11-30', '2025-01-01'],
    ['1.0.0+build.1', '1.0.0+build.2', '1.0.1'],
  ]
  for (const ascending of orders) {
    const shuffled = ascending.toReversed()
    assert.deepEqual(shuffled.sort(compareVersions), ascending)
    for (const version of ascending) assert.equal(compareVersions(version, version), 0)
  }
})
