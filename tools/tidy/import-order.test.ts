import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkImportOrder } from './import-order.ts'
import { repositoryOf } from './repository.ts'

const manifest = (name: string) => JSON.stringify({ name: `@roadworthy/${name}`, exports: { './*': './src/*.ts' } })
const everything = {
  'packages/prognostics/package.json': manifest('prognostics'),
  'packages/prognostics/src/predict.ts': 'export const predict = 1',
  'packages/service-kit/package.json': manifest('service-kit'),
  'packages/service-kit/src/postgres/db.ts': "import pg from 'pg'",
  'services/platform/package.json': manifest('platform'),
  'services/platform/src/keys/known-keys.ts': '',
  'services/platform/src/fleet/vehicle.ts': '',
  'services/platform/src/devices/device.ts': '',
  'services/platform/src/readings/reading.ts': '',
  'services/platform/src/predictions/health.ts': '',
  'services/platform/src/alerts/alert.ts': '',
  'services/platform/src/maintenance/work.ts': '',
  'services/platform/src/metering/meter.ts': '',
  'services/platform/src/ingest/inbound.ts': '',
  'services/platform/src/ingest/pipeline.ts': '',
  'services/platform/src/surfaces/external.ts': '',
  'services/platform/src/main/all.ts': '',
  'services/platform/src/backfill/backfill.ts': '',
  'services/platform/src/novelty/new.ts': '',
}

function check(path: string, text: string): string[] {
  const repository = repositoryOf({ ...everything, [`services/${path}`]: text })
  return checkImportOrder(repository).map((finding) => `${finding.path}:${finding.line} ${finding.message}`)
}

test('the product imports nothing of the tools, types neither, and its tests may', () => {
  const files = {
    'tools/emulator/package.json': manifest('emulator'),
    'tools/emulator/src/sim.ts': 'export type Sim = 1',
    'apps/cli/src/replay.ts': "import type { Sim } from '@roadworthy/emulator/sim'",
    'apps/cli/src/replay.test.ts': "import type { Sim } from '@roadworthy/emulator/sim'",
    'services/platform/src/main/demo.ts': "import { Sim } from '../../../../tools/emulator/src/sim.ts'",
    'tools/setup/run.ts': "import type { Sim } from '@roadworthy/emulator/sim'",
  }
  assert.deepEqual(
    checkImportOrder(repositoryOf(files)).map(({ path, message }) => `${path} ${message.split(';')[0]}`),
    [
      'apps/cli/src/replay.ts the product does not import tools/emulator/src/sim.ts',
      'services/platform/src/main/demo.ts the product does not import tools/emulator/src/sim.ts',
    ],
  )
})

test('a slice imports those before it', () => {
  assert.deepEqual(
    check('platform/src/alerts/a.ts', "import { h } from '../predictions/health.ts'\nimport { c } from '../keys/known-keys.ts'"),
    [],
  )
  assert.match(
    check('platform/src/fleet/a.ts', "\nimport { d } from '../devices/device.ts'")[0] ?? '',
    /fleet\/a\.ts:2 fleet does not import devices/,
  )
  assert.equal(check('platform/src/webhooks/a.ts', "import '../metering/meter.ts'").length, 1, 'nor its neighbours')
  assert.equal(check('platform/src/keys/a.ts', "import type { V } from '../fleet/vehicle.ts'").length, 1, 'not even types')
})

test('ingest imports what comes before predictions', () => {
  assert.deepEqual(check('platform/src/ingest/a.ts', "import '../readings/reading.ts'\nimport '../devices/device.ts'"), [])
  assert.equal(check('platform/src/ingest/a.ts', "import '../predictions/health.ts'").length, 1)
})

test('nobody imports ingest, surfaces or main, except main and tests', () => {
  for (const target of ['ingest/pipeline.ts', 'surfaces/external.ts', 'main/all.ts']) {
    assert.equal(check('platform/src/alerts/a.ts', `import '../${target}'`).length, 1, target)
    assert.deepEqual(check('platform/src/main/b.ts', `import '../${target}'`), [], target)
    assert.deepEqual(check('platform/src/alerts/a.test.ts', `import '../${target}'`), [], target)
  }
  assert.equal(check('platform/src/surfaces/a.ts', "import '../ingest/pipeline.ts'").length, 1)
  assert.deepEqual(check('platform/src/surfaces/a.ts', "import '../alerts/alert.ts'"), [])
})

test('what imports readings of before stands on ingest and the slices; only main imports it', () => {
  assert.deepEqual(check('platform/src/backfill/a.ts', "import '../ingest/pipeline.ts'\nimport '../alerts/alert.ts'"), [])
  for (const target of ['main/all.ts', 'surfaces/external.ts']) {
    assert.equal(check('platform/src/backfill/a.ts', `import '../${target}'`).length, 1, target)
  }
  for (const from of ['alerts', 'ingest', 'surfaces']) {
    assert.equal(check(`platform/src/${from}/a.ts`, "import '../backfill/backfill.ts'").length, 1, from)
  }
  assert.deepEqual(check('platform/src/main/a.ts', "import '../backfill/backfill.ts'"), [])
})

test("types of ingest's contract may be named by those that implement it or are handed it", () => {
  assert.deepEqual(check('platform/src/devices/a.ts', "import type { Ingest } from '../ingest/inbound.ts'"), [])
  assert.equal(check('platform/src/devices/a.ts', "import { Ingest } from '../ingest/inbound.ts'").length, 1)
  assert.equal(check('platform/src/devices/a.ts', "import type { Pipeline } from '../ingest/pipeline.ts'").length, 1)
})

test('a new slice has to be given its place', () => {
  assert.match(check('platform/src/alerts/a.ts', "import '../novelty/new.ts'")[0] ?? '', /no place in the import order/)
  assert.match(check('platform/src/novelty/a.ts', "import '../keys/known-keys.ts'")[0] ?? '', /no place in the import order/)
})

test('prognostics belongs to the engine and the command line', () => {
  const text = "import { predict } from '@roadworthy/prognostics/predict'"
  assert.deepEqual(check('engine/src/a.ts', text), [])
  assert.equal(check('platform/src/predictions/a.ts', text).length, 1)
})

test('the engine imports neither the platform nor, however far round, a database driver', () => {
  assert.equal(check('engine/src/a.ts', "import '@roadworthy/platform/alerts/alert'").length, 1)
  assert.equal(check('engine/src/a.ts', "import pg from 'pg'").length, 1)
  assert.match(
    check('engine/src/a.ts', "import { open } from '@roadworthy/service-kit/postgres/db'")[0] ?? '',
    /engine\/src\/a\.ts reaches pg/,
  )
  assert.deepEqual(check('engine/src/a.ts', "import type { Db } from '@roadworthy/service-kit/postgres/db'"), [])
})

test('pure packages know no machine, and SQL knows no HTTP', () => {
  const pure = repositoryOf({ 'packages/signals/src/a.ts': "import { readFile } from 'node:fs'" })
  assert.equal(checkImportOrder(pure).length, 1)
  assert.equal(check('platform/src/fleet/a.sql.ts', "import type { FastifyRequest } from 'fastify'").length, 1)
})

test('the published client imports nothing of others, types included', () => {
  const find = (text: string, file = 'a.ts') => checkImportOrder(repositoryOf({ [`packages/client/src/${file}`]: text })).length
  assert.equal(find("import type { Device } from '@roadworthy/contracts/external/devices'"), 1)
  assert.equal(find("import { connect } from 'mqtt'"), 1)
  assert.equal(find("import { createHmac } from 'node:crypto'"), 1)
  assert.equal(find("import { test } from 'node:test'", 'a.test.ts'), 0)
})

test('an import that leads nowhere is reported', () => {
  assert.match(check('platform/src/fleet/a.ts', "import './gone.ts'")[0] ?? '', /does not exist/)
})
