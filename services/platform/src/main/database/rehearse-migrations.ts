// Applies migrations to an empty copy of the schema, on a PostgreSQL of its own that is removed again, and returns what each does to tables that
// were there before. The database that is to be upgraded is not touched.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import type { Migration } from '@roadworthy/service-kit/postgres/migrate'
import { connect } from '../../backup/snapshot.sql.ts'
import { applyAndWatch, buildEmpty, type TableEffect } from './rehearsal.sql.ts'

/** What is in it is thrown away. */
const SCRATCH_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '16MB', max_connections: '10' }

export type Rehearsed = { readonly migration: string; readonly isBreaking: boolean; readonly effects: readonly TableEffect[] }

/** Throws where one of them fails, as it would on the real schema. */
export async function rehearseMigrations(
  { known, pending }: { known: readonly Migration[]; pending: readonly Migration[] },
  signal: AbortSignal,
): Promise<Rehearsed[]> {
  if (pending.length === 0) return []
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-rehearsal-'))
  // Run as root, PostgreSQL belongs to another account, which must be able to enter.
  chmodSync(folder, 0o755)
  try {
    const server = await startEmbeddedPostgres({ dataDir: folder, settings: SCRATCH_SETTINGS, log: () => {}, signal })
    try {
      return await rehearseOn(server.url, { known, pending }, signal)
    } finally {
      await server.stop()
      if (!server.dataPath.startsWith(folder)) rmSync(server.dataPath, { recursive: true, force: true })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function rehearseOn(
  url: string,
  { known, pending }: { known: readonly Migration[]; pending: readonly Migration[] },
  signal: AbortSignal,
): Promise<Rehearsed[]> {
  const client = await connect(url)
  try {
    await buildEmpty(client, known)
    const rehearsed: Rehearsed[] = []
    for (const migration of pending) {
      signal.throwIfAborted()
      rehearsed.push({
        ...{ migration: migration.name, isBreaking: migration.isBreaking },
        // Of an empty database everything is made: there is nothing before it.
        effects: await applyAndWatch(client, migration),
      })
    }
    return rehearsed
  } finally {
    await client.end()
  }
}
