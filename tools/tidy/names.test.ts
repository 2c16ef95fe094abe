import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkNames } from './names.ts'
import { repositoryOf } from './repository.ts'

const check = (text: string, path = 'services/platform/src/fleet/vehicle.ts') =>
  checkNames(repositoryOf({ [path]: text })).map(({ line, message }) => `${line} ${message}`)

test('files and folders with empty names are found', () => {
  for (const path of [
    'fleet/utils.ts',
    'fleet/string-helpers.ts',
    'common/vehicle.ts',
    'fleet/common.ts',
    'fleet/process.ts',
    'fleet/data.sql.ts',
  ]) {
    assert.equal(check('', `services/platform/src/${path}`).length, 1, path)
  }
  for (const path of ['fleet/common-rail.ts', 'fleet/process-identity.ts', 'fleet/metadata.ts', 'fleet/routes.platform-v1.ts']) {
    assert.deepEqual(check('', `services/platform/src/${path}`), [], path)
  }
})

test('files are named in kebab-case', () => {
  assert.equal(check('', 'services/platform/src/fleet/registerVehicle.ts').length, 1)
  assert.equal(check('', 'services/platform/src/fleet/register_vehicle.ts').length, 1)
})

test('declared names with empty words are found', () => {
  for (const text of [
    'class FleetManager {}',
    'class DeviceService {}',
    'const vehicleData = 1',
    'function processBatch() {}',
    'type DeviceInfo = string',
  ]) {
    assert.equal(check(text).length, 1, text)
  }
  for (const text of ['const metadata = 1', 'class DeviceServiceLine {}', 'const processExit = 1', 'const a = { data: 1 }', 'db.data']) {
    assert.deepEqual(check(text), [], text)
  }
})

test('a key of the wire keeps its name, and a file about processes may speak of them', () => {
  assert.deepEqual(check('const sensorData = 1\nfunction readSensorData() {}'), [])
  assert.equal(check('const sensor = 1, data = 2\nconst data = 3').length, 1)
  assert.deepEqual(check('function processStartToken() {}', 'packages/service-kit/src/process/process-identity.ts'), [])
})

test('a handler is a word of HTTP', () => {
  assert.equal(check('const alertHandler = 1').length, 1)
  assert.deepEqual(check("import type { App } from '@roadworthy/service-kit/http/http'\nconst errorHandler = 1"), [])
})
