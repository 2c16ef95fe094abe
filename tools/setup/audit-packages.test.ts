// Goal: a vulnerability that is known fails, and a registry without a list of them does not. Method: a registry on loopback.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'

/** `advisories` undefined: the registry has no such list. */
async function audit(t: TestContext, advisories: object | undefined): Promise<{ code: number; output: string }> {
  const registry = createServer((request, response) => {
    request.resume()
    const isList = request.url?.endsWith('/advisories/bulk') === true && advisories !== undefined
    response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(isList ? advisories : {}))
  })
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  t.after(() => registry.close())
  const { port } = registry.address() as AddressInfo
  // npm remembers an advisory that it once received.
  const cache = mkdtempSync(join(tmpdir(), 'roadworthy-audit-'))
  t.after(() => rmSync(cache, { recursive: true, force: true }))
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: cache }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'audit-packages.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { code: code as number, output }
}

const advisory = (severity: string) => ({
  fastify: [
    {
      id: 1,
      url: 'https://example.com/1',
      title: 'Bad',
      severity,
      vulnerable_versions: '>=0.0.1',
      cwe: [],
      cvss: { score: 9, vectorString: null },
    },
  ],
})

test('a registry that has no list of vulnerabilities is a warning', async (t) => {
  const { code, output } = await audit(t, undefined)
  assert.equal(code, 0)
  assert.match(output, /^warning: known vulnerabilities were not looked up/)
})

test('a grave vulnerability fails by the name of the package; a slight one is reported', async (t) => {
  const grave = await audit(t, advisory('critical'))
  assert.equal(grave.code, 1)
  assert.match(grave.output, /^critical: fastify /m)
  assert.equal((await audit(t, advisory('high'))).code, 1)
  const slight = await audit(t, advisory('low'))
  assert.equal(slight.code, 0)
  assert.match(slight.output, /^low: fastify /m)
  assert.deepEqual(await audit(t, {}), { code: 0, output: '0 packages with known vulnerabilities, 0 of them high or critical\n' })
})
