// SQL stands in `*.sql.ts` only, and a slice writes its own tables only. Line 1 of a migration names the owner of its tables.

import { type Finding, isTest, type Repository } from './repository.ts'

/** What connects, migrates and listens has statements of its own; none of them touches a table of the product. */
const KIT_FILES = new Set(
  ['db', 'migrate', 'database-roles', 'notifications', 'embedded-postgres', 'test-database'].map(
    (name) => `packages/service-kit/src/postgres/${name}.ts`,
  ),
)

/** Stored in the transaction of the thing that is counted, so that what is counted is what was committed. */
const FOREIGN_WRITES = new Set([
  'services/platform/src/readings/readings.sql.ts usage_entries',
  'services/platform/src/readings/readings.sql.ts usage_active_devices',
  'services/platform/src/readings/effects.sql.ts usage_active_devices',
  'services/platform/src/readings/vehicle-sources.sql.ts vehicle_sources',
  'services/platform/src/limits/usage.sql.ts usage_entries',
])

/** Slices that were divided: line 1 of a migration names the owner of then, and a migration never changes once it has run somewhere. */
const OWNERS_SINCE: Readonly<Record<string, string>> = {
  api_keys: 'keys',
  audit_log: 'audit',
  audit_log_starts: 'audit',
  idempotency_keys: 'requests',
  rate_windows: 'limits',
  resellers: 'resellers',
  sessions: 'people',
  sign_in_rates: 'people',
  known_sign_ins: 'people',
  usage_counters: 'limits',
  user_links: 'people',
  users: 'people',
}

const SQL_TEXT = [
  /^\s*(with\s+\w+\s+as\s*(not\s+materialized\s*)?\(|insert\s+into\s+\w|delete\s+from\s+\w|merge\s+into\s+\w)/i,
  /^\s*update\s+[\w.]+\s+(as\s+)?(\w+\s+)?set\s/i,
  /^\s*select\s+([\s\S]+\sfrom\s+\S|\*|\d|\w+\()/i,
  /^\s*(create|alter|drop|truncate)\s+(unique\s+)?(table|index|schema|role|function|trigger|type|view|database)\s/i,
]
const WRITES =
  /\b(insert\s+into|merge\s+into|delete\s+from|truncate(?:\s+table)?|(?<!\b(?:do|for|key)\s+)update)\s+(?:only\s+)?([a-z_][\w.]*)/gi

export function checkSqlOwnership(repository: Repository): Finding[] {
  const owners = readOwners(repository)
  return [...owners.findings, ...checkPlaces(repository), ...checkWrites(repository, owners.tables)]
}

function readOwners(repository: Repository): { tables: Map<string, string>; findings: Finding[] } {
  const tables = new Map<string, string>()
  const findings: Finding[] = []
  for (const [path, text] of repository.texts) {
    if (!/^services\/[^/]+\/migrations\/[^/]+\.sql$/.test(path)) continue
    const owner = /^-- Owner: ([a-z]+)\./.exec(text)?.[1]
    if (owner === undefined) {
      findings.push({ path, line: 1, message: 'the first line of a migration names the slice that owns it: "-- Owner: devices. …"' })
      continue
    }
    for (const [, table = ''] of text.matchAll(/^create (?:unlogged )?table (?:if not exists )?(\w+)/gm))
      tables.set(table, OWNERS_SINCE[table] ?? owner)
  }
  return { tables, findings }
}

function checkPlaces(repository: Repository): Finding[] {
  const findings: Finding[] = []
  for (const { path, code } of repository.sources.values()) {
    if (path.endsWith('.sql.ts') || isTest(path) || KIT_FILES.has(path) || path.startsWith('tools/tidy/')) continue
    for (const { kind, text, line } of code) {
      if ((kind === 'string' || kind === 'template') && SQL_TEXT.some((pattern) => pattern.test(text))) {
        findings.push({ path, line, message: 'SQL stands in *.sql.ts files' })
      }
    }
  }
  return findings
}

function checkWrites(repository: Repository, tables: ReadonlyMap<string, string>): Finding[] {
  const findings: Finding[] = []
  for (const { path, code } of repository.sources.values()) {
    const slice = /^services\/platform\/src\/([^/]+)\/.*\.sql\.ts$/.exec(path)?.[1]
    if (slice === undefined) continue
    for (const token of code) {
      if (token.kind !== 'string' && token.kind !== 'template') continue
      for (const { 1: verb = '', 2: table = '', index } of token.text.matchAll(WRITES)) {
        const owner = tables.get(table)
        const line = token.line + token.text.slice(0, index).split('\n').length - 1
        if (owner === undefined) continue
        if (path.endsWith('.read.sql.ts')) findings.push({ path, line, message: `${verb} ${table}: a *.read.sql.ts file writes nothing` })
        else if (owner !== slice && !FOREIGN_WRITES.has(`${path} ${table}`)) {
          findings.push({ path, line, message: `${verb} ${table}: the table belongs to ${owner}, and ${slice} does not write it` })
        }
      }
    }
  }
  return findings
}
