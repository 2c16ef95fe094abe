import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureInstalled, isForThisMachine, isInstalled } from './ensure-installed.js'

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

test('platform lists are read as npm reads them', () => {
  const machine = { os: 'linux', cpu: 'x64', libc: 'glibc' }
  assert.equal(isForThisMachine({ os: ['linux'], cpu: ['x64'], libc: ['glibc'] }, machine), true)
  assert.equal(isForThisMachine({ os: 'linux' }, machine), true)
  assert.equal(isForThisMachine({ libc: ['musl'] }, machine), false)
  assert.equal(isForThisMachine({ os: ['!linux'] }, machine), false)
  assert.equal(isForThisMachine({ os: ['!win32'] }, machine), true)
  assert.equal(isForThisMachine({ cpu: ['arm64', 'arm'] }, machine), false)
})

test('two at once install once, and the second waits and says so', async (t) => {
  const root = folderWithLock(t)
  const said: string[] = []
  let installs = 0
  const install = async (folder: string) => {
    installs++
    await sleep(100)
    writeInstalled(folder)
  }
  const results = await Promise.all([1, 2].map(() => ensureInstalled(root, { log: (line: string) => said.push(line), install })))
  assert.equal(installs, 1)
  assert.deepEqual(results.sort(), ['installed', 'installed by another'])
  assert.ok(said.some((line) => line.startsWith('Another process is installing')))
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
