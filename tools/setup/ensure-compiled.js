// Runs before `npm start`: fills Node's compile cache when the sources or V8's flags are others than they were, by letting both programs print their help, and by loading what the engine loads
// only when it knows what it is to be. A program whose modules are all in it never loads the TypeScript stripper, which costs each process 20
// to 30 MB for as long as it runs.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installedNode } from './installed-node.js'

/** Where `npm start` sets it. */
const CACHE = 'node_modules/.cache/node'
/** Beside it: what it was filled with. Node keeps a cache for each of its versions and each set of V8's flags. */
const MARK = 'node_modules/.cache/node-filled-with'
export const PROGRAMS = [
  'services/platform/src/main/all.ts',
  'services/engine/src/main.ts',
  'services/engine/src/serve.ts',
  'services/engine/src/workers/run-workers.ts',
]
/** What the programs are made of, each in a folder `src` of its own. The lock file stands for the packages. */
const WORKSPACES = ['services', 'packages']
const LOCK = 'package-lock.json'
const TIMEOUT_MS = 30_000

/** A program that fails costs memory and nothing else. Returns whether there was something to do. */
export function ensureCompiled(root) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const flags = scripts.start.split(' ').filter((word) => word.startsWith('--') && word !== '--')
  const node = installedNode(root)
  // The lock file has the version of the one that is installed.
  const version = node === process.execPath ? process.version : 'installed'
  const wanted = [version, ...flags, stampOfSources(root)].join(' ')
  if (readMark(root) === wanted) return 'already compiled'
  for (const program of PROGRAMS) {
    const env = { ...process.env, NODE_COMPILE_CACHE: join(root, CACHE) }
    spawnSync(node, [...flags, join(root, program), '--help'], { cwd: root, env, stdio: 'ignore', timeout: TIMEOUT_MS })
  }
  mkdirSync(join(root, CACHE), { recursive: true })
  writeFileSync(join(root, MARK), wanted)
  return 'compiled'
}

/** Of times and sizes, which are known without reading two thousand files before every start. */
function stampOfSources(root) {
  const hash = createHash('sha256')
  for (const path of [LOCK, ...WORKSPACES.flatMap((folder) => sourcesIn(root, folder))]) {
    const found = statSync(join(root, path), { throwIfNoEntry: false })
    hash.update(`${path} ${found?.mtimeMs} ${found?.size}\n`)
  }
  return hash.digest('hex')
}

function sourcesIn(root, folder) {
  return namesIn(join(root, folder)).flatMap((workspace) => {
    const src = join(folder, workspace, 'src')
    return namesIn(join(root, src), { recursive: true }).map((name) => join(src, name))
  })
}

function namesIn(path, options) {
  return existsSync(path) ? readdirSync(path, options).sort() : []
}

function readMark(root) {
  try {
    return readFileSync(join(root, MARK), 'utf8')
  } catch {
    // Never filled.
    return undefined
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  ensureCompiled(resolve(dirname(fileURLToPath(import.meta.url)), '../..'))
}
