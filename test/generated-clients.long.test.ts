// Goal: the documents are good for the tools of others. Method: Redocly's rules and AsyncAPI's own parser, and clients of three generators, with the
// compiler's or the type checker's word that they are whole. With what they bring along the tools are 300 MB and optional: `.ci/run` puts
// them in a cache; without them these tests report that they skip.

import assert from 'node:assert/strict'
import { type ExecFileException, execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { documentFile, documentNames } from './support/open-api.ts'

const tools = process.env['ROADWORTHY_DOCUMENT_TOOLS'] ?? join(homedir(), '.cache/roadworthy/document-tools')
const python = join(tools, 'python/bin')
const skip = existsSync(join(tools, 'installed')) ? false : `${tools} has no tools for documents (.ci/run installs them)`
const TIMEOUT_MS = 300_000
const options = { skip, timeout: TIMEOUT_MS }

const require = createRequire(join(tools, 'package.json'))
const tsc = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace('package.json', 'bin/tsc')
const folder = mkdtempSync(join(tmpdir(), 'roadworthy-clients-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test("the OpenAPI documents keep Redocly's recommended rules", options, async () => {
  const { lint, createConfig } = require('@redocly/openapi-core') as Redocly
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The server is the one that serves the document: paths are whole.
      'no-empty-servers': 'off',
      // Fixed parts of a path go before parameters, as OpenAPI 3.1 has it.
      'no-ambiguous-paths': 'off',
      // One schema for a receiver of every webhook, which no operation names.
      'no-unused-components': 'off',
    },
  })
  for (const name of documentNames) {
    const problems = await lint({ ref: documentFile(`${name}.json`), config })
    const shown = problems.map(({ ruleId, location: [at] }) => `${ruleId} at ${at?.pointer}`)
    // Whether the API answers is asked without a key, and refused to nobody.
    const known = name === 'external' ? ['operation-4xx-response at #/paths/~1api~1external~1health/get/responses'] : []
    assert.deepEqual(shown, known, name)
  }
})

test("AsyncAPI's parser takes the document, and refuses one that is broken", options, async () => {
  const { Parser } = require('@asyncapi/parser') as AsyncApiParser
  const text = readFileSync(documentFile('asyncapi.json'), 'utf8')
  const { document, diagnostics } = await new Parser().parse(text)
  // That there is a 3.1 is no fault of a document of 3.0.
  assert.deepEqual(
    diagnostics.filter(({ code }) => code !== 'asyncapi-latest-version').map(({ message, path }) => `${path.join('/')}: ${message}`),
    [],
  )
  assert.deepEqual([document?.version(), document?.operations().length], ['3.0.0', 4])
  const broken = await new Parser().parse(text.replaceAll('#/channels/deviceErrors', '#/channels/nothing'))
  assert.ok(broken.diagnostics.some(({ severity }) => severity === 0))
})

test('what openapi-typescript makes compiles, and webhooks have their types', options, async () => {
  const here = join(folder, 'openapi-typescript')
  mkdirSync(here)
  for (const name of documentNames)
    await run(process.execPath, [binOf('openapi-typescript'), documentFile(`${name}.json`), '--output', join(here, `${name}.ts`)])
  writeFileSync(join(here, 'receiver.ts'), RECEIVER)
  await compile(here, {
    module: 'nodenext',
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
  })
})

/** `event` decides which fields `data` has: a field of another type of event does not compile. */
const RECEIVER = `import type { components, webhooks } from './platform-v1.ts'
type WebhookEvent = components['schemas']['WebhookEvent']
type Body = webhooks['alert.created']['post']['requestBody']['content']['application/json']
export function summary(event: WebhookEvent): string {
  switch (event.event) {
    case 'alert.created':
      return \`\${event.data.severity}: \${event.data.message}\`
    case 'vehicle.health.changed':
      // @ts-expect-error: a change of health has no severity
      return \`\${event.data.severity}\`
    case 'usage.threshold':
      return (event.data.used / event.data.limit).toFixed(2)
    default:
      return event.id
  }
}
export const ofOne = (body: Body): 'alert.created' => body.event
`

test('what @hey-api/openapi-ts makes compiles', options, async () => {
  const here = join(folder, 'hey-api')
  mkdirSync(here)
  const { createClient } = (await import(pathToFileURL(join(tools, 'node_modules/@hey-api/openapi-ts/dist/index.mjs')).href)) as HeyApi
  for (const name of documentNames) {
    await createClient({ input: documentFile(`${name}.json`), output: join(here, name), logs: { level: 'silent', file: false } })
  }
  await compile(here, { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true })
})

/** Media types that this generator does not know, and what it takes them for (docs/api-documents.md has them). */
const PYTHON_CONFIG = `content_type_overrides:
  application/pdf: application/octet-stream
  application/xml: application/octet-stream
  application/x-ndjson: text/plain
  image/svg+xml: application/octet-stream
`
/** What it leaves out all the same: bodies that are images, and the lines of a tracker. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  external: ['POST /api/external/ingest/freematics/{token}/post/{device}'],
  'platform-v1': [
    'GET /api/v1/brand/logos/{sha256}',
    'PUT /api/v1/brands/reseller/logo',
    'PUT /api/v1/brands/sub-clients/{subClientId}/logo',
  ],
}

test('what openapi-python-client makes passes mypy, and its models read every webhook', options, async () => {
  const here = join(folder, 'python')
  mkdirSync(here)
  writeFileSync(join(here, 'config.yaml'), PYTHON_CONFIG)
  const packages = documentNames.map((name) => name.replaceAll('-', '_'))
  const env = { ...process.env, PATH: `${python}${delimiter}${process.env['PATH']}` }
  for (const [i, name] of documentNames.entries()) {
    const args = ['generate', '--path', documentFile(`${name}.json`), '--output-path', join(here, packages[i] ?? ''), '--meta', 'none']
    const said = await run(join(python, 'openapi-python-client'), [...args, '--config', join(here, 'config.yaml')], { env })
    const leftOut = [...said.matchAll(/(?:WARNING|ERROR) parsing (\w+ \S+)/g)].map(([, route]) => route)
    assert.deepEqual(leftOut, LEFT_OUT[name] ?? [], said)
  }
  // The same file in every client, whatever the document; mypy does not like it.
  const ignored = packages.map((each) => `[mypy-${each}.client]\nignore_errors = True\n`).join('')
  writeFileSync(join(here, 'mypy.ini'), `[mypy]\nstrict = True\n${ignored}`)
  await run(join(python, 'mypy'), ['--config-file', 'mypy.ini', '--cache-dir', join(here, 'cache'), ...packages], { cwd: here, env })
  writeFileSync(join(here, 'read.py'), READ_WEBHOOKS)
  const count = await run(join(python, 'python'), ['read.py', documentFile('platform-v1.json')], { cwd: here, env })
  assert.equal(count.trim(), '27 of 27')
})

const READ_WEBHOOKS = `import json, sys
from platform_v1 import models
# Times are read as such, and written in another form.
text = lambda value: json.dumps(value, sort_keys=True).replace("+00:00", ".000Z")
webhooks = json.load(open(sys.argv[1]))["webhooks"]
read = 0
for webhook in webhooks.values():
    content = webhook["post"]["requestBody"]["content"]["application/json"]
    model = getattr(models, content["schema"]["$ref"].rsplit("/", 1)[1])
    read += text(model.from_dict(content["example"]).to_dict()) == text(content["example"])
print(f"{read} of {len(webhooks)}")
`

const binOf = (name: string): string => {
  const manifest = require(`${name}/package.json`) as { bin: string | Record<string, string> }
  return join(tools, 'node_modules', name, typeof manifest.bin === 'string' ? manifest.bin : (manifest.bin[name] ?? ''))
}

async function compile(here: string, more: object): Promise<void> {
  const compilerOptions = { noEmit: true, strict: true, target: 'esnext', types: [], ...more }
  writeFileSync(join(here, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
  await run(process.execPath, [tsc, '-p', here])
}

/** What a program printed. Rejects with all of it when it fails. */
function run(file: string, args: readonly string[], more: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      file,
      args,
      { maxBuffer: 64 * 1024 * 1024, timeout: TIMEOUT_MS, ...more },
      (error: ExecFileException | null, stdout, stderr) => {
        if (error === null) resolve(`${stdout}${stderr}`)
        else
          reject(
            new Error(`${file} ${args.join(' ')}: ${error.message.slice(0, 300)}\n${stdout.slice(0, 4_000)}\n${stderr.slice(0, 2_000)}`),
          )
      },
    )
  })
}

type Redocly = {
  createConfig: (config: object) => Promise<object>
  lint: (what: { ref: string; config: object }) => Promise<{ ruleId: string; location: { pointer?: string }[] }[]>
}
type AsyncApiParser = {
  Parser: new () => {
    parse: (text: string) => Promise<{
      document?: { version: () => string; operations: () => { length: number } }
      diagnostics: { code: string | number; severity: number; message: string; path: (string | number)[] }[]
    }>
  }
}
type HeyApi = { createClient: (options: object) => Promise<unknown> }
