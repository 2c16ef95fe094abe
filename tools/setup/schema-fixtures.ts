// The schema of each release with data in it, under test/fixtures/schemas: what a later release is upgraded from in a test.

import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const FIXTURES = 'test/fixtures/schemas'
const MIGRATIONS = 'services/platform/migrations'

/** Of the instance that a fixture was made from. It protects nothing: what is in a fixture is made up. */
export const FIXTURE_SECRET_KEY = 'test secret key, 32 characters or more'

export function fixtureFolder(root: string, version: string): string {
  return join(root, FIXTURES, version)
}

/** What keeps the fixture from being the schema of this release; undefined when it is. */
export function findFixtureHindrance(root: string, version: string): string | undefined {
  const manifest = join(fixtureFolder(root, version), 'manifest.json')
  const fix = `run "npm run schema-fixture -- ${version}" and commit it.`
  if (!existsSync(manifest)) return `${FIXTURES}/${version} is not there: ${fix}`
  const { migrations } = JSON.parse(readFileSync(manifest, 'utf8')) as { migrations: { name: string; sha256: string }[] }
  const files = globSync(`${MIGRATIONS}/*.sql`, { cwd: root }).sort()
  const isSame = (path: string, nth: number) =>
    migrations[nth]?.name === basename(path) && migrations[nth].sha256 === sha256Of(join(root, path))
  return files.length === migrations.length && files.every(isSame)
    ? undefined
    : `${FIXTURES}/${version} was made with other migrations than those of this release: ${fix}`
}

function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
