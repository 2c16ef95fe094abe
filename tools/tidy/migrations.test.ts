import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { checkMigrations, HASHES_FILE } from './migrations.ts'
import { repositoryOf } from './repository.ts'

const folder = 'services/platform/migrations'
const check = (files: Record<string, string>) => checkMigrations(repositoryOf(files)).map(({ message }) => message)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('migrations are numbered without gaps or repeats', () => {
  assert.deepEqual(check({ [`${folder}/0001_a.sql`]: '', [`${folder}/0002_b.sql`]: '' }), [])
  assert.match(check({ [`${folder}/0001_a.sql`]: '', [`${folder}/0003_b.sql`]: '' })[0] ?? '', /should be 0002/)
  assert.equal(check({ [`${folder}/0001_a.sql`]: '', [`${folder}/0001_b.sql`]: '' }).length, 1)
})

test('a released migration is neither edited nor removed, and a new one may follow', () => {
  const released = JSON.stringify({ '0001_a.sql': sha256('create table a;') })
  const files = { [HASHES_FILE]: released, [`${folder}/0002_b.sql`]: 'new' }
  assert.deepEqual(check({ ...files, [`${folder}/0001_a.sql`]: 'create table a;' }), [])
  assert.match(check({ ...files, [`${folder}/0001_a.sql`]: 'create table b;' })[0] ?? '', /was changed/)
  assert.match(check({ [HASHES_FILE]: released })[0] ?? '', /is gone/)
})
