// Which operating-system account the embedded PostgreSQL runs as. PostgreSQL refuses to run as root, and no account is ever created
// here: a service that adds users to a machine surprises its owner.

import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

export type Account = { name: string; uid: number; gid: number }

/** In a sentence: one may be called nobody. */
export function accountNameOf(account: Account | undefined): string {
  return account === undefined ? 'this user' : `the account ${account.name}`
}

/** Asked for in this order when the service runs as root. `roadworthy` is the account that the packages and the image bring. */
const UNPRIVILEGED_ACCOUNTS = ['roadworthy', 'nobody']

const PROBE_TIMEOUT_MS = 5000

/**
 * The account to run PostgreSQL as, or `undefined` when the service already runs unprivileged and the server can simply inherit that.
 * A cluster that exists keeps its owner, because PostgreSQL only opens a data folder that belongs to the account it runs as.
 */
export function chooseAccount(clusterPath: string, passwd = readPasswd()): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(clusterPath, { throwIfNoEntry: false })
  if (owner !== undefined && owner.uid !== 0) {
    return { name: passwd.find((entry) => entry.uid === owner.uid)?.name ?? `user ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  }
  for (const name of UNPRIVILEGED_ACCOUNTS) {
    const found = passwd.find((entry) => entry.name === name && entry.uid !== 0)
    if (found !== undefined) return found
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and this machine has no user named ${UNPRIVILEGED_ACCOUNTS.join(' or ')}. ` +
      'Create one (useradd --system roadworthy), start the service as an ordinary user, or set DATABASE_URL.',
  )
}

/**
 * Whether that account can enter a folder, asked of the kernel by trying: permission bits alone do not know about the folders above,
 * access lists or read-only mounts.
 */
export function canEnter(account: Account | undefined, folder: string): boolean {
  return passesTest('-x', account, folder)
}

/** Whether that account can run a program, the folders above it included. */
export function canRun(account: Account | undefined, program: string): boolean {
  return passesTest('-x', account, program)
}

/** Whether that account can write into a folder. */
export function canWrite(account: Account | undefined, folder: string): boolean {
  return passesTest('-w', account, folder) && canEnter(account, folder)
}

/** The first of these files that the account cannot read, the folders above it included. */
export function findUnreadable(account: Account | undefined, files: readonly string[]): string | undefined {
  const script = 'while IFS= read -r file; do test -r "$file" || { printf %s "$file"; exit 1; }; done'
  const { error, status, stdout } = spawnSync('/bin/sh', ['-c', script], {
    ...{ ...asAccount(account), cwd: '/', encoding: 'utf8', input: files.map((file) => `${file}\n`).join('') },
  })
  if (error !== undefined) throw error
  return status === 0 ? undefined : stdout
}

function passesTest(flag: '-x' | '-w', account: Account | undefined, path: string): boolean {
  const probe = spawnSync('/bin/sh', ['-c', `test ${flag} "$1"`, 'sh', path], {
    ...asAccount(account),
    cwd: '/',
    timeout: PROBE_TIMEOUT_MS,
  })
  if (probe.error !== undefined) {
    throw new Error(
      `Cannot run a program as ${account?.name ?? 'this user'}: ${probe.error.message}. Set DATABASE_URL to use your own PostgreSQL.`,
      {
        cause: probe.error,
      },
    )
  }
  return probe.status === 0
}

/** Spawn options that make a child run as the account. */
export function asAccount(account: Account | undefined): { uid?: number; gid?: number } {
  return account === undefined ? {} : { uid: account.uid, gid: account.gid }
}

function readPasswd(): Account[] {
  const accounts: Account[] = []
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name !== undefined && uid !== undefined && gid !== undefined) accounts.push({ name, uid: Number(uid), gid: Number(gid) })
  }
  return accounts
}
