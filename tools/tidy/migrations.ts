// Migrations go forward only. What was released is never edited: its hash is kept in hashes.json, which the first release writes.

import { createHash } from 'node:crypto'
import type { Finding, Repository } from './repository.ts'

export const HASHES_FILE = 'services/platform/migrations/hashes.json'
const MIGRATION = /^services\/platform\/migrations\/([^/]+\.sql)$/
const MIGRATION_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/

export function checkMigrations(repository: Repository): Finding[] {
  return [...checkNumbers(repository), ...checkHashes(repository)]
}

function migrationsOf(repository: Repository): { path: string; name: string; text: string }[] {
  return [...repository.texts].flatMap(([path, text]) => {
    const name = MIGRATION.exec(path)?.[1]
    return name === undefined ? [] : [{ path, name, text }]
  })
}

function checkNumbers(repository: Repository): Finding[] {
  return migrationsOf(repository).flatMap(({ path, name }, i) => {
    const number = Number(MIGRATION_NAME.exec(name)?.[1])
    if (number === i + 1) return []
    return [
      { path, line: 1, message: `migrations are numbered without gaps or repeats: this should be ${String(i + 1).padStart(4, '0')}_….sql` },
    ]
  })
}

function checkHashes(repository: Repository): Finding[] {
  const text = repository.texts.get(HASHES_FILE)
  if (text === undefined) return []
  const released = JSON.parse(text) as Record<string, string>
  const texts = new Map(migrationsOf(repository).map(({ name, text: sql }) => [name, sql]))
  return Object.entries(released).flatMap(([name, sha256]) => {
    const sql = texts.get(name)
    if (sql !== undefined && createHash('sha256').update(sql).digest('hex') === sha256) return []
    const what = sql === undefined ? 'is gone' : 'was changed'
    return [{ path: HASHES_FILE, line: 1, message: `${name} was released and ${what}; write a new migration instead` }]
  })
}
