// Goal: what npm packs is what a stranger can use: it compiles under strict settings, runs in Node and in a browser, and does what its README
// says. Method: packed and installed without a network in a project of its own, at the running service, in a browser behind a server of the
// test that also fails.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inBrowser, launchBrowser } from '../e2e/browser.ts'
import { openService } from '../support/service.ts'
import { type Exercised, exerciseClient } from './exercise-client.ts'
import { type FrontServer, startFrontServer } from './front-server.ts'
import { codeBlocks, compiler, packClient, ROOT } from './packed-client.ts'

const packed = packClient({ after })
const service = await openService({ after })
const blocks = codeBlocks('packages/client/README.md')
for (const [i, code] of blocks.entries()) packed.write(`readme-${i}.ts`, code)
const exercise = packed.write(
  'exercise-client.js',
  `import * as client from '@roadworthy/client'
${exerciseClient.toString()}
console.log(JSON.stringify(await exerciseClient(client, JSON.parse(process.argv[2]))))`,
)

/** What must have come of it, wherever it ran. */
const expected: Exercised = {
  ...{ status: 'healthy', devices: ['Truck 0', 'Truck 1', 'Truck 2'], stored: 150, total: 1, message: 'ready' },
  refusal: ['NotFoundError', 404, 'device_not_found', true],
  ...{ redirected: 'redirected', aborted: 'left', event: 'alert.created', forged: 'invalid_signature' },
  ...{ badLogo: 'ValidationError', isKeyShown: false },
}

/** The answer of one POST was lost: it came again, under the same key. */
function assertRepeated({ calls }: FrontServer): void {
  const repeated = calls.filter(({ call }) => call === 'POST /api/external/sub-clients')
  assert.ok(repeated.length > 1)
  assert.deepEqual(new Set(repeated.map(({ key }) => key)), new Set([repeated[0]?.key]))
  assert.match(String(repeated[0]?.key), /^[0-9a-f]{32}$/)
  const asked = calls.filter(({ call }) => call === 'GET /api/external/health')
  assert.ok(asked.length >= 4, 'a refusal, a reset, the answer, and a redirect')
}

test('the package has what is documented and nothing else, and needs nothing', () => {
  const manifest = JSON.parse(readFileSync(join(packed.folder, 'node_modules/@roadworthy/client/package.json'), 'utf8'))
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies']) assert.equal(manifest[field], undefined)
  assert.equal(manifest.version, '2.0.0')
  assert.notEqual(manifest.private, true)
  assert.deepEqual(readdirSync(join(packed.folder, 'node_modules/@roadworthy')), ['client'])
  for (const file of packed.files) assert.match(file, /^(package\.json|README\.md|dist\/(LICENSE|[\w./-]+\.(js|d\.ts)))$/)
  const sources = packed.files
    .filter((file) => file.startsWith('dist/'))
    .map((file) => readFileSync(join(packed.folder, 'node_modules/@roadworthy/client', file), 'utf8'))
  for (const text of sources) {
    for (const [, specifier = ''] of text.matchAll(/(?:from|import\() ?['"]([^'"]+)['"]/g)) assert.match(specifier, /^\.\.?\/[\w./-]+\.js$/)
  }
})

const settings = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext', types: ['node'], lib: ['es2023'] },
  bundler: { module: 'esnext', moduleResolution: 'bundler', types: ['node'], lib: ['es2023', 'dom', 'dom.iterable'] },
  // Where there is no Node: what a page of a bundler is compiled with.
  browser: { module: 'esnext', moduleResolution: 'bundler', types: [], lib: ['es2023', 'dom', 'dom.iterable'] },
}
for (const [name, options] of Object.entries(settings)) {
  test(`a project compiles against it, strictly, with ${name}`, () => {
    packed.write('typed.ts', readFileSync(join(ROOT, 'test/clients/typed-project.txt'), 'utf8'))
    const files = name === 'browser' ? ['typed.ts'] : ['typed.ts', ...blocks.map((_, i) => `readme-${i}.ts`)]
    const compilerOptions = {
      ...{
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: name !== 'browser',
        noEmit: true,
        target: 'es2023',
      },
      ...options,
    }
    const config = packed.write(`tsconfig.${name}.json`, JSON.stringify({ compilerOptions, files }))
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', config], { encoding: 'utf8', cwd: packed.folder })
    assert.equal(status, 0, stdout)
  })
}

test('every example of its README runs, in the order of the page', async () => {
  const { key } = await service.newTenant()
  const env = { ROADWORTHY_URL: service.baseUrl, ROADWORTHY_KEY: key }
  const printed: string[] = []
  for (const [i] of blocks.entries()) printed.push(await packed.run(process.execPath, [`readme-${i}.ts`], env))
  const wanted = [
    /the device has the password [\w-]+\nTruck 17 dongle is at 12\.97 77\.59/,
    /^0 of 0 that need work/,
    /^250 stored\n$/,
    /^device_not_found [0-9a-f-]{36}/,
    /^active/,
    /^critical Coolant at 116 °C\n204 400\n$/,
    /^$/,
  ]
  assert.equal(printed.length, wanted.length)
  for (const [i, pattern] of wanted.entries()) assert.match(printed[i] ?? '', pattern)
})

const versionOf = (path: string) => (existsSync(path) ? execFileSync(path, ['--version'], { encoding: 'utf8' }).trim() : undefined)
/** Of this repository, and that of the machine, which is often an older one. */
const nodes = [
  { path: process.execPath, skip: false },
  {
    path: '/usr/bin/node',
    skip: [undefined, process.version].includes(versionOf('/usr/bin/node')) && 'needs another Node at /usr/bin/node',
  },
]
for (const { path, skip } of nodes) {
  test(`in Node ${versionOf(path)} it does what it says`, { skip }, async (t) => {
    const { key } = await service.newTenant()
    const front = await startFrontServer(t, { service: service.baseUrl, folder: packed.folder })
    const printed = await packed.run(path, [exercise, JSON.stringify({ baseUrl: front.url, apiKey: key })])
    assert.deepEqual(JSON.parse(printed), expected)
    assertRepeated(front)
  })
}

test('in a browser it does the same, as the modules that npm installed', inBrowser, async (t) => {
  const { key } = await service.newTenant()
  const front = await startFrontServer(t, { service: service.baseUrl, folder: packed.folder })
  const browser = await launchBrowser()
  t.after(() => browser.close())
  const page = await browser.newPage()
  await page.goto(front.url)
  const found = await page.evaluate(`(async () => {
    ${exerciseClient.toString()}
    return exerciseClient(await import('@roadworthy/client'), ${JSON.stringify({ baseUrl: front.url, apiKey: key })})
  })()`)
  assert.deepEqual(found, expected)
  assertRepeated(front)
})
