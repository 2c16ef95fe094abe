import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkNode, ensureInstalled, isForThisMachine, isInstalled } from './ensure-installed.js'

const LOCKED = {
  '': { name: 'root' },
  'packages/own': { name: 'own', version: '1.0.0' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/needed-elsewhere': { version: '1.0.0', integrity: 'sha512-n', optional: true },
  'node_modules/elsewhere': { version: '1.0.0', integrity: 'sha512-e', optional: true, os: ['plan9'] },
}

function folderWithLock(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'roadworthy-install-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: LOCKED }))
  return root
}

function writeInstalled(root: string, integrity = 'sha512-a'): void {
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  const packages = { 'node_modules/a': { version: '1.0.0', integrity } }
  writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }))
}

test('installed means that every locked package for this machine is there in the locked version', (t) => {
  const root = folderWithLock(t)
  assert.equal(isInstalled(root), false, 'nothing there')
  mkdirSync(join(root, 'node_modules'))
  assert.equal(isInstalled(root), false, 'an install cut short')
  writeInstalled(root, 'sha512-other')
  assert.equal(isInstalled(root), false, 'another version')
  writeInstalled(root)
  assert.equal(isInstalled(root), true)
})

test('the Node that was installed is the one that is named, or nothing is run with it', (t) => {
  const root = folderWithLock(t)
  writeInstalled(root)
  const folder = join(root, 'node_modules', 'node-here')
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'bin/node'), 'a program')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '24.0.0' }))
  const sha256 = createHash('sha256').update('a program').digest('hex')
  const named = (more: object) => ({
    'node-here': { version: '24.0.0', file: 'bin/node', sha256, ...more },
    'node-elsewhere': { version: '1', file: 'x', sha256 },
  })
  checkNode(root, named({}))
  assert.equal(isInstalled(root), true)
  for (const other of [{ version: '24.0.1' }, { sha256: sha256.replace(/^./, 'x') }]) {
    assert.throws(() => checkNode(root, named(other)), /is not the Node 24\.0\.\d that .*node-checksums\.json names/)
    assert.equal(isInstalled(root), false, 'the next start installs and looks again')
    writeInstalled(root)
  }
})

test('an install that brings another Node than the one that is named has failed, and so has the next start', async (t) => {
  const root = folderWithLock(t)
  const checksums = JSON.parse(readFileSync(join(import.meta.dirname, 'node-checksums.json'), 'utf8'))
  const [name = '', { version, file }] = Object.entries(checksums as Record<string, { version: string; file: string }>)[0] ?? assert.fail()
  const install = async (folder: string) => {
    writeInstalled(folder)
    const program = join(folder, 'node_modules', name, file)
    mkdirSync(dirname(program), { recursive: true })
    writeFileSync(program, 'another program')
    writeFileSync(join(folder, 'node_modules', name, 'package.json'), JSON.stringify({ version }))
  }
  for (let start = 0; start < 2; start++) await assert.rejects(ensureInstalled(root, { log: () => {}, install }), /is not the Node/)
})

test('no package gets to run a script of its own when it is installed', async (t) => {
  const root = folderWithLock(t)
  const npm = join(root, 'npm-cli.cjs')
  // What it was called with, and what it leaves behind.
  writeFileSync(
    npm,
    `const fs = require('node:fs')
    fs.writeFileSync('called-with', JSON.stringify(process.argv.slice(2)))
    fs.mkdirSync('node_modules')
    fs.writeFileSync('node_modules/.package-lock.json', fs.readFileSync('package-lock.json'))`,
  )
  const own = process.env['npm_execpath']
  t.after(() => {
    if (own === undefined) delete process.env['npm_execpath']
    else process.env['npm_execpath'] = own
  })
  process.env['npm_execpath'] = npm
  assert.equal(await ensureInstalled(root, { log: () => {} }), 'installed')
  const [command, ...flags] = JSON.parse(readFileSync(join(root, 'called-with'), 'utf8')) as string[]
  assert.equal(command, 'ci')
  assert.ok(flags.includes('--ignore-scripts'), flags.join(' '))
})

test('a hash is named for every Node that package.json asks for', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, path), 'utf8'))
  const named = Object.entries(read('node-checksums.json') as Record<string, { version: string }>).map(([name, { version }]) => [
    name,
    version,
  ])
  assert.deepEqual(named, Object.entries(read('../../package.json').optionalDependencies))
})

test('platform lists are read as npm reads them', () => {
  const machine = { os: 'linux', cpu: 'x64', libc: 'glibc' }
  assert.equal(isForThisMachine({ os: ['linux'], cpu: ['x64'], libc: ['glibc'] }, machine), true)
  assert.equal(isForThisMachine({ os: 'linux' }, machine), true)
  assert.equal(isForThisMachine({ libc: ['musl'] }, machine), false)
  assert.equal(isForThisMachine({ os: ['!linux'] }, machine), false)
  assert.equal(isForThisMachine({ os: ['!win32'] }, machine), true)
  assert.equal(isForThisMachine({ cpu: ['arm64', 'arm'] }, machine), false)
})

test('two at once install once, and the second waits and reports it', async (t) => {
  const root = folderWithLock(t)
  const logged: string[] = []
  let installs = 0
  const install = async (folder: string) => {
    installs++
    await sleep(100)
    writeInstalled(folder)
  }
  const results = await Promise.all([1, 2].map(() => ensureInstalled(root, { log: (line: string) => logged.push(line), install })))
  assert.equal(installs, 1)
  assert.deepEqual(results.sort(), ['installed', 'installed by another'])
  assert.ok(logged.some((line) => line.startsWith('Another process is installing')))
  assert.equal(await ensureInstalled(root, { log: assert.fail, install: assert.fail }), 'already installed')
})

test('a failed install leaves no lock, and the lock of a killed one is taken over', async (t) => {
  const root = folderWithLock(t)
  const failing = () => Promise.reject(new Error('no network'))
  await assert.rejects(ensureInstalled(root, { log: () => {}, install: failing }), /no network/)
  assert.equal(existsSync(join(root, '.install-lock')), false)

  const gone = spawn(process.execPath, ['-e', ''])
  await once(gone, 'exit')
  mkdirSync(join(root, '.install-lock'))
  writeFileSync(join(root, '.install-lock', 'pid'), String(gone.pid))
  assert.equal(await ensureInstalled(root, { log: () => {}, install: async (folder: string) => writeInstalled(folder) }), 'installed')
})
