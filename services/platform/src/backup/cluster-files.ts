// Which files of a cluster belong in a copy of it. As pg_basebackup leaves them out (https://www.postgresql.org/docs/18/protocol-replication.html, BASE_BACKUP).

import { readdir } from 'node:fs/promises'
import path from 'node:path'

/** Folders that are made anew, empty. */
const EMPTIED = ['pg_wal', 'pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans']
/** Of the running server, or written at each start. */
const LEFT_OUT = [
  'postmaster.pid',
  'postmaster.opts',
  'postgresql.conf',
  'postgresql.auto.conf.tmp',
  'pg_hba.conf',
  'backup_label',
  'tablespace_map',
  'backup_manifest',
]
const TEMPORARY = /^(pgsql_tmp.*|pg_internal\.init.*|t\d+_\d+(_\w+)?(\.\d+)?|\.\d+\.draft)$/
/** Read last, as pg_basebackup does: it states up to where the others have been written. */
const CONTROL = 'global/pg_control'

/** Paths below the cluster. */
export async function listClusterFiles(cluster: string): Promise<{ files: string[]; folders: string[] }> {
  const files: string[] = []
  const folders: string[] = []
  const look = async (folder: string): Promise<void> => {
    for (const entry of await readdir(path.join(cluster, folder), { withFileTypes: true })) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (TEMPORARY.test(entry.name) || (folder === '' && LEFT_OUT.includes(name))) continue
      if (entry.isDirectory()) {
        folders.push(name)
        if (!EMPTIED.includes(name)) await look(name)
      } else if (entry.isFile()) files.push(name)
    }
  }
  await look('')
  const inOrder = files.sort().filter((name) => name !== CONTROL)
  return { files: [...inOrder, CONTROL], folders: folders.sort() }
}
