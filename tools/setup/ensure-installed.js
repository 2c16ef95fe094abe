// Runs before `npm start` and `npm test`: installs what package-lock.json names when node_modules is missing or differs from it, and
// is silent and offline otherwise. Plain JavaScript for Node 20, because Node 24 is among the things it installs.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bundleTypebox } from './bundle-typebox.js'

const MINIMUM_NODE_MAJOR = 20
const CHECKSUMS = join(dirname(fileURLToPath(import.meta.url)), 'node-checksums.json')
const INSTALL_TIMEOUT_MS = 10 * 60_000
const LOCK_POLL_MS = 250
const LOCK_WAIT_MS = INSTALL_TIMEOUT_MS + 60_000
/** A lock without a readable holder is one being written; after this it is one left by a kill. */
const UNREADABLE_LOCK_MS = 5000
/** npm reports what is wrong first and explains its options afterwards. */
const STDERR_HEAD_CHARS = 1500

const NETWORK_ERRORS = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/

const THIS_MACHINE = { os: process.platform, cpu: process.arch, libc: libcFamily() }

/** Installs when needed. Returns what was done, for the tests. */
export async function ensureInstalled(root, { log = console.error, install = npmCi } = {}) {
  if (isInstalled(root)) return 'already installed'
  const lockPath = join(root, '.install-lock')
  await takeLock(lockPath, log)
  try {
    // Someone else may have installed while this one waited for the lock.
    if (isInstalled(root)) return 'installed by another'
    log('Installing the packages that package-lock.json names (npm ci); this happens once and takes about half a minute.')
    await install(root)
    if (!isInstalled(root))
      throw new Error(
        'npm ci finished, but node_modules still differs from package-lock.json. Run "npm ci --ignore-scripts" and read its output.',
      )
    checkNode(root)
    return 'installed'
  } finally {
    rmSync(lockPath, { recursive: true, force: true })
  }
}

/**
 * Compares the lock file with npm's own record of what it put in node_modules. npm writes that record last, so an install cut short
 * has none.
 */
export function isInstalled(root) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages
  const present = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages
  if (wanted === undefined) throw new Error(`There is no package-lock.json in ${root}.`)
  if (present === undefined) return false
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes('node_modules/') || !isForThisMachine(entry)) continue
    const there = present[path]
    // What only a package for another machine needs is locked as optional, names no machine of its own, and is not installed.
    if (there === undefined && entry.optional === true && namesNoMachine(entry)) continue
    if (there === undefined || there.version !== entry.version || there.integrity !== entry.integrity) return false
  }
  return true
}

/**
 * npm has compared each package with the hash in package-lock.json. The Node that everything runs on is held to a hash of its own as well, which
 * stands beside the code: a lock file that was written anew, from another registry, does not bring another program unseen.
 */
export function checkNode(root, checksums = readJson(CHECKSUMS)) {
  for (const [name, { version, file, sha256 }] of Object.entries(checksums)) {
    const folder = join(root, 'node_modules', name)
    const installed = readJson(join(folder, 'package.json'))
    if (installed === undefined) continue
    const program = join(folder, file)
    if (installed.version === version && createHash('sha256').update(readFileSync(program)).digest('hex') === sha256) continue
    // The next start installs and looks again.
    rmSync(join(root, 'node_modules', '.package-lock.json'), { force: true })
    throw new Error(`${program} is not the Node ${version} that tools/setup/node-checksums.json names. It was not run.`)
  }
}

/** npm's rules for `os`, `cpu` and `libc`: a list of names, or of names that are excluded with `!`. */
export function isForThisMachine({ os, cpu, libc }, machine = THIS_MACHINE) {
  return (
    matches(os, machine.os) &&
    matches(cpu, machine.cpu) &&
    (libc === undefined || machine.libc === undefined || matches(libc, machine.libc))
  )
}

function namesNoMachine({ os, cpu, libc }) {
  return os === undefined && cpu === undefined && libc === undefined
}

function matches(list, name) {
  if (list === undefined) return true
  const names = Array.isArray(list) ? list : [list]
  if (names.includes(`!${name}`)) return false
  const wanted = names.filter((item) => !item.startsWith('!'))
  return wanted.length === 0 || wanted.includes(name) || wanted.includes('any')
}

function libcFamily() {
  if (process.platform !== 'linux') return undefined
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** A folder, because making one either succeeds or reports that it is there, in one step, on every file system. */
async function takeLock(lockPath, log) {
  let hasSpoken = false
  for (let waitedMs = 0; waitedMs < LOCK_WAIT_MS; waitedMs += LOCK_POLL_MS) {
    try {
      mkdirSync(lockPath)
      writeFileSync(join(lockPath, 'pid'), String(process.pid))
      return
    } catch (error) {
      if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS') {
        throw new Error(
          `Packages must be installed, but ${dirname(lockPath)} cannot be written by this user. Run "npm ci --ignore-scripts" there as its owner.`,
        )
      }
      if (error.code !== 'EEXIST') throw error
    }
    if (isLeftOver(lockPath)) {
      rmSync(lockPath, { recursive: true, force: true })
      continue
    }
    if (!hasSpoken) log('Another process is installing the packages; waiting for it.')
    hasSpoken = true
    await sleep(LOCK_POLL_MS)
  }
  throw new Error(`Another process has been installing for too long. If none is, remove ${lockPath}.`)
}

function isLeftOver(lockPath) {
  let pid
  try {
    pid = Number(readFileSync(join(lockPath, 'pid'), 'utf8'))
  } catch {
    const folder = statSync(lockPath, { throwIfNoEntry: false })
    return folder !== undefined && Date.now() - folder.mtimeMs > UNREADABLE_LOCK_MS
  }
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

/**
 * No package of ours needs an install script (`postgres-binaries.ts` does what that of PostgreSQL would), so none gets to run. `--include` overrides a
 * user's `omit` setting or NODE_ENV=production, either of which would leave Node 24 or the checks out.
 */
async function npmCi(root) {
  const args = [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
  ]
  const npm = process.env.npm_execpath
  const isScript = npm !== undefined && /npm-cli\.c?js$/.test(npm)
  const node = nodeOutside(join(root, 'node_modules'))
  const [command, commandArgs] = isScript ? [node, [npm, ...args]] : ['npm', args]
  const { code, stderr, isTimedOut } = await run(command, commandArgs, root)
  if (code === 0) return
  if (isTimedOut)
    throw new Error(
      `npm ci did not finish in ${INSTALL_TIMEOUT_MS / 60_000} minutes. Check the connection to the package registry and try again.`,
    )
  if (NETWORK_ERRORS.test(stderr)) {
    throw new Error(`The package registry cannot be reached. Check the network, or "npm config get registry", and try again.\n${stderr}`)
  }
  throw new Error(`npm ci failed:\n${stderr}`)
}

function run(command, args, cwd) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    let isTimedOut = false
    child.stderr.on('data', (chunk) => {
      stderr = (stderr + chunk).slice(0, STDERR_HEAD_CHARS)
    })
    const timer = setTimeout(() => {
      isTimedOut = true
      child.kill('SIGKILL')
    }, INSTALL_TIMEOUT_MS)
    const stop = () => child.kill('SIGTERM')
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    child.once('error', fail)
    child.once('close', (code) => {
      clearTimeout(timer)
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      done({ code, stderr: stderr.trim(), isTimedOut })
    })
  })
}

/** npm ci removes node_modules first, so npm itself must not run on the Node that lives there. */
function nodeOutside(modulesPath) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const candidate = join(folder, 'node')
    try {
      accessSync(candidate, constants.X_OK)
      if (!realpathSync(candidate).startsWith(modulesPath)) return candidate
    } catch {
      // Not here; the next folder may have it.
    }
  }
  return process.execPath
}

async function main() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < MINIMUM_NODE_MAJOR) throw new Error(`Node ${MINIMUM_NODE_MAJOR} or newer is needed; this is ${process.versions.node}.`)
  const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
  await ensureInstalled(root)
  await bundleTypebox(root)
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    await main()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
