// Goal: an operator who types what the pages for operators show gets what they describe. Method: the blocks of each page in their order, by a
// shell, in the folder of an instance that runs.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { BIN } from '../support/command-line.ts'
import { node, type OwnInstance, startOwnInstance } from './own-instance.ts'
import { ROOT } from './running-service.ts'

const BLOCK_TIMEOUT_MS = 120_000

let instance: OwnInstance

before(async () => {
  instance = await startOwnInstance()
  // Where the pages expect it.
  symlinkSync(instance.dataDir, path.join(instance.folder, '.data'))
})

after(async () => {
  await instance.stop()
})

async function runPage(page: string): Promise<string> {
  const text = readFileSync(path.join(ROOT, 'docs/guides', page), 'utf8')
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines]) => lines ?? '')
  assert.ok(blocks.length >= 3)
  const { api_key: key } = JSON.parse(readFileSync(path.join(instance.dataDir, 'credentials.json'), 'utf8')) as { api_key: string }
  let output = ''
  for (const lines of blocks) {
    const script = `set -e\nnpx() { shift; "${node}" "${BIN}" "$@"; }\n${lines}`
    const env = { PATH: process.env['PATH'], HOME: instance.folder, BASE_URL: instance.baseUrl, KEY: key }
    const child = spawn('sh', ['-c', script], { cwd: instance.folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: BLOCK_TIMEOUT_MS })
    let ofBlock = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (ofBlock += String(chunk)))
    const [code] = await once(child, 'exit')
    assert.equal(code, 0, `${lines}\n${ofBlock}`)
    output += ofBlock
  }
  return output
}

test('every command of the page about upgrading does what it describes', async () => {
  const output = await runPage('upgrading.md')
  assert.match(output, /^skip +backup +nothing is to be changed$/m)
  assert.match(output, /Nothing was left to do\./)
  assert.equal(existsSync(path.join(instance.folder, 'before-upgrade', 'secret-key')), true)
  assert.equal(existsSync(path.join(instance.dataDir, 'last-backup.json')), true)
})

test('every command of the page for every day does what it describes', async () => {
  const output = await runPage('operations.md')
  assert.match(output, /^ok +api +http/m)
  assert.match(output, /rows of \d+ tables/)
  assert.match(output, /"status":"ready"|"ready"/)
  assert.match(output, /^mqtt +40 +0 .*PUBACK: 40$/m)
})
