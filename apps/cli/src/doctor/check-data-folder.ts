// The data folder: whether it can be used, and whether others on the machine can read its secrets.

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { credentialsPath } from '@roadworthy/platform/main/credentials'
import { LEAST_KEY_LENGTH } from '@roadworthy/platform/main/secret-key'
import { type Finding, okay, warning, wrong } from '../finding.ts'

const SECRET_FILES = ['secret-key', 'credentials.json', 'last-backup.json']

/** Of one that is there. */
export function checkDataFolder(dataDir: string): Finding[] {
  return [checkWritable(dataDir), checkModes(dataDir), checkKeptKey(dataDir)]
}

function checkWritable(dataDir: string): Finding {
  const probe = join(dataDir, `.doctor-${process.pid}`)
  try {
    writeFileSync(probe, '')
    rmSync(probe)
    return okay('data folder rights', `${dataDir} can be written`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return wrong('data folder rights', {
      detail: `${dataDir} cannot be written (${code}).`,
      why: 'The service keeps its database, its key and its credentials there, and does not start.',
      fix:
        code === 'EROFS'
          ? 'The file system is read-only: mount it for writing, or a volume at this folder.'
          : `Give the folder to the account of the service: chown -R USER ${dataDir}; run this as that account.`,
    })
  }
}

function checkModes(dataDir: string): Finding {
  const open = SECRET_FILES.map((name) => join(dataDir, name)).filter((file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0)
  if (open.length === 0 || process.platform === 'win32') return okay('secrets of folder', 'only the owner can read them')
  return wrong('secrets of folder', {
    detail: `${open.join(' and ')} can be read by others on this machine.`,
    why: 'The key opens everything that is stored encrypted, and the first credentials open the whole instance.',
    fix: `chmod 600 ${open.join(' ')}; where others may have read them, make a new API key and password.`,
  })
}

function checkKeptKey(dataDir: string): Finding {
  const file = join(dataDir, 'secret-key')
  if (!existsSync(file)) {
    const isUsed = existsSync(credentialsPath(dataDir)) && existsSync(join(dataDir, 'postgres'))
    return isUsed
      ? warning('kept key', {
          detail: `There is no ${file}, and an instance was started here.`,
          why: 'Without the key that the database was set up with no start succeeds.',
          fix: 'Set SECRET_KEY, or put the file back: a backup made with a passphrase has it.',
        })
      : okay('kept key', 'none: SECRET_KEY is set, or the first start makes one')
  }
  if (readFileSync(file, 'utf8').trim().length >= LEAST_KEY_LENGTH) return okay('kept key', file)
  return wrong('kept key', {
    detail: `${file} has fewer than ${LEAST_KEY_LENGTH} characters: it is not as it was written.`,
    why: 'The passwords of the database follow from it; the start is refused.',
    fix: 'Put the file back from a backup. docs/operations.md describes what to do when the key is lost.',
  })
}
