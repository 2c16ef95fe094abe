import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findHindrances } from './check-release.ts'

const ROOT = join(import.meta.dirname, '../..')
const MIGRATIONS = 'services/platform/migrations'

const migrationsOf = (fixture: string) =>
  (JSON.parse(readFileSync(join(ROOT, fixture, 'manifest.json'), 'utf8')) as { migrations: { name: string }[] }).migrations

const PYTHON = 'clients/python/src/roadworthy'

test('a tag is released when every workspace and the client in Python have its version and the changelog names it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-release-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  mkdirSync(join(folder, 'packages/one'), { recursive: true })
  mkdirSync(join(folder, PYTHON), { recursive: true })
  const writePython = (text: string) => writeFileSync(join(folder, PYTHON, '_version.py'), text)
  writePython(`__version__ = "${version}"\n`)
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  writeFileSync(join(folder, 'packages/one/package.json'), JSON.stringify({ version }))
  writeFileSync(join(folder, 'CHANGELOG.md'), `# Changelog\n\n## Unreleased\n\n## ${version} (2026-12-01)\n\n- The first.\n`)
  const fixture = `test/fixtures/schemas/${version}`
  assert.match(
    findHindrances(folder, `v${version}`).join(),
    new RegExp(`^${fixture} is not there: run "npm run schema-fixture -- ${version}"`),
  )
  cpSync(join(ROOT, fixture, 'manifest.json'), join(folder, fixture, 'manifest.json'))
  for (const { name } of migrationsOf(fixture)) cpSync(join(ROOT, MIGRATIONS, name), join(folder, MIGRATIONS, name))
  assert.deepEqual(findHindrances(folder, `v${version}`), [])
  writeFileSync(join(folder, MIGRATIONS, '9999_another.sql'), '-- Owner: test.')
  assert.match(findHindrances(folder, `v${version}`).join(), /was made with other migrations than those of this release/)
  rmSync(join(folder, MIGRATIONS, '9999_another.sql'))
  assert.match(findHindrances(folder, version)[0] ?? '', /is no tag/)

  writeFileSync(join(folder, 'packages/one/package.json'), JSON.stringify({ version: '0.1.0' }))
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n')
  const [other, changelog] = findHindrances(folder, `v${version}`)
  assert.equal(other, 'packages/one/package.json has version 0.1.0.')
  assert.match(changelog ?? '', /has no section/)

  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '2.1.0-rc.1' }))
  writeFileSync(join(folder, 'packages/one/package.json'), JSON.stringify({ version: '2.1.0-rc.1' }))
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n## 2.1.0-rc.1 (2026-12-01)\n\n- A candidate.\n')
  assert.deepEqual(findHindrances(folder, 'v2.1.0-rc.1'), [`${PYTHON}/_version.py has version ${version}, not 2.1.0rc1.`])
  writePython('__version__ = "2.1.0rc1"\n')
  assert.deepEqual(findHindrances(folder, 'v2.1.0-rc.1'), [])
})

test('what is released has a dated section with something in it, and nothing is left under Unreleased', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-release-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, PYTHON), { recursive: true })
  writeFileSync(join(folder, PYTHON, '_version.py'), '__version__ = "2.1.0rc1"\n')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '2.1.0-rc.1' }))
  const found = (changelog: string) => {
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog)
    return findHindrances(folder, 'v2.1.0-rc.1').join('\n')
  }
  assert.match(found('## Unreleased\n\n## 2.1.0-rc.1 (soon)\n\n- One.\n'), /no section "## 2\.1\.0-rc\.1 \(year-month-day\)"/)
  assert.match(found('## Unreleased\n\n## 2.1.0-rc.1 (2026-12-01)\n\n## 2.0.0 (2026-11-01)\n\n- One.\n'), /is empty/)
  assert.match(found('## Unreleased\n\n- Two.\n\n## 2.1.0-rc.1 (2026-12-01)\n\n- One.\n'), /lines under Unreleased/)
  assert.match(found('## 2.1.0-rc.1 (2026-12-01)\n\n- One.\n'), /no section "## Unreleased"/)
  assert.equal(found('## Unreleased\n\n## 2.1.0-rc.1 (2026-12-01)\n\n- One.\n'), '')
})

test('every workspace, and the client in Python, has the version of the whole', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  assert.deepEqual(
    findHindrances(ROOT, `v${version}`).filter((each) => each.includes(' has version ')),
    [],
  )
})
