import type { Migration } from '@roadworthy/service-kit/postgres/migrate'

/** Made before the first migration. */
const OF_EVERY_SCHEMA = ['installation_key', 'schema_migrations']

/** Tables that these migrations create; some of them may have been dropped since. */
export function knownTables(migrations: readonly Migration[]): Set<string> {
  const names = migrations.flatMap(({ sql }) =>
    [...sql.matchAll(/^create (?:unlogged )?table (?:if not exists )?(\w+)/gm)].map(([, name = '']) => name),
  )
  return new Set([...names, ...OF_EVERY_SCHEMA])
}
