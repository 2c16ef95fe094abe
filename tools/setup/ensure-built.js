// Runs before `npm start`, after the packages are there: builds the dashboard when it was never built or its sources have changed since,
// and is silent otherwise. A build that fails costs the dashboard and nothing else: the service starts all the same.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installedNode } from './installed-node.js'

const APP = 'apps/dashboard'
/** What the result depends on. The lock file stands for the packages. */
const SOURCES = [
  `${APP}/src`,
  `${APP}/public`,
  `${APP}/index.html`,
  `${APP}/package.json`,
  `${APP}/vite.config.ts`,
  'packages/signals/src',
  'packages/wording/src',
  'packages/wording/languages',
  'package-lock.json',
]
/** Beside the pages; written last, so that a build cut short counts as none. */
const MARK = 'built-from'
/** Only what never ends takes that long: it takes seconds, and minutes on a machine with much else to do. */
const BUILD_TIMEOUT_MS = 900_000
const OUTPUT_CHARS = 3_000

/** Builds when needed. Returns what was done, for the tests. */
export async function ensureBuilt(root, { log = console.error, build = viteBuild } = {}) {
  const wanted = hashSources(root)
  const dist = join(root, APP, 'dist')
  if (readMark(dist) === wanted) return 'already built'
  log('Building the dashboard; this happens once and takes a few seconds.')
  // In a folder of its own and then put in place whole: two at once each finish, and a page being served is not half of each.
  const draft = join(root, APP, `dist-${process.pid}`)
  try {
    await build(root, draft)
    writeFileSync(join(draft, MARK), wanted)
    putInPlace(draft, dist)
    return 'built'
  } catch (error) {
    log(`The dashboard could not be built; the service starts without it. ${error.message}`)
    return 'failed'
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function hashSources(root) {
  const hash = createHash('sha256')
  for (const path of SOURCES.flatMap((source) => filesUnder(root, source))) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function filesUnder(root, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  const names = readdirSync(join(root, path)).sort()
  return names.flatMap((name) => filesUnder(root, `${path}/${name}`))
}

function readMark(dist) {
  try {
    return readFileSync(join(dist, MARK), 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  }
}

function putInPlace(draft, dist) {
  const old = `${draft}-old`
  do {
    moveAway(dist, old)
    rmSync(old, { recursive: true, force: true })
  } while (!isMovedInto(draft, dist))
}

function moveAway(dist, old) {
  try {
    renameSync(dist, old)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

/** Not where another build was put in place since the one before was moved away. */
function isMovedInto(draft, dist) {
  try {
    renameSync(draft, dist)
    return true
  } catch (error) {
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false
    throw error
  }
}

async function viteBuild(root, outDir) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', join(root, APP), '--outDir', outDir, '--emptyOutDir', '--logLevel', 'error']
  const { code, output } = await run(installedNode(root), args, join(root, APP))
  if (code !== 0) throw new Error(`Vite ended with ${code}:\n${output}`)
}

function run(command, args, cwd) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output = (output + chunk).slice(-OUTPUT_CHARS)
      })
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), BUILD_TIMEOUT_MS)
    const stop = () => child.kill('SIGTERM')
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    child.once('error', fail)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      done({ code: code ?? signal, output: output.trim() })
    })
  })
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await ensureBuilt(resolve(dirname(fileURLToPath(import.meta.url)), '../..'))
}
