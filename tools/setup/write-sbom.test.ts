import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { billOfMaterials } from './write-sbom.ts'

const ROOT = resolve(import.meta.dirname, '../..')

type Component = { purl: string; hashes?: { alg: string; content: string }[] }
type Locked = { version: string; integrity: string }

test('the bill of materials has every locked package in its version and with its hash', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
  const document = JSON.parse(billOfMaterials()) as { bomFormat: string; specVersion: string; components: Component[] }
  assert.equal(document.bomFormat, 'CycloneDX')
  assert.match(document.specVersion, /^1\.\d$/)
  const listed = new Map(document.components.map((each) => [decodeURIComponent(each.purl), each]))
  const { packages } = read('package-lock.json') as { packages: Record<string, Locked> }
  const locked = Object.entries(packages).filter(([path, { integrity }]) => path.includes('node_modules/') && integrity !== undefined)
  assert.ok(locked.length > 200)
  for (const [path, { version, integrity }] of locked) {
    const name = path.split('node_modules/').at(-1)
    const content = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')
    assert.deepEqual(listed.get(`pkg:npm/${name}@${version}`)?.hashes, [{ alg: 'SHA-512', content }], path)
  }
})
