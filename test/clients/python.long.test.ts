// Goal: the client in Python does against the running service what it says, is typed as strictly as its README promises, and what is built of it
// can be installed and used. Method: its own tests with the address of a service, mypy over them and over the examples, and the wheel in a virtual
// environment that has nothing else and no network.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { defaultCache, preparePythonTools } from '../../tools/setup/python-tools.ts'
import { openService } from '../support/service.ts'

const CLIENT = join(import.meta.dirname, '../../clients/python')
const TIMEOUT_MS = 900_000

const found = preparePythonTools(process.env['ROADWORTHY_PYTHON_CLIENT'] ?? defaultCache(process.env['XDG_CACHE_HOME']))
const skip = typeof found === 'string' ? found : false
const tools = typeof found === 'string' ? { python: '', wheels: '' } : found
const folder = mkdtempSync(join(tmpdir(), 'roadworthy-python-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** What it printed, its errors included. The caches of Python stay out of the repository. */
async function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = CLIENT): Promise<string> {
  const options = { cwd, encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 } as const
  const environment = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1', ...env }
  const child = promisify(execFile)(command, args, { ...options, env: environment })
  const { stdout, stderr } = await child.catch(
    ({ stdout: out, stderr: errors, message }: { stdout: string; stderr: string; message: string }) => {
      throw new Error(`${message}\n${out}\n${errors}`)
    },
  )
  return `${stdout}${stderr}`
}

const examples = () =>
  [...readFileSync(join(CLIENT, 'README.md'), 'utf8').matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = '']) => code)

test('its tests pass, at the running service too', { skip, timeout: TIMEOUT_MS }, async (t) => {
  const service = await openService(t, { flags: ['--webhook-allow-cidrs', '127.0.0.0/8'] })
  const [{ key }, { key: keyOfReadme }] = [await service.newTenant(), await service.newTenant()]
  const printed = await run(tools.python, ['-m', 'pytest'], {
    ROADWORTHY_URL: service.baseUrl,
    ROADWORTHY_KEY: key,
    ROADWORTHY_README_KEY: keyOfReadme,
    ROADWORTHY_ENGINE_URL: service.platform.credentials.engine_url,
  })
  assert.match(printed, /\n\d{3} passed in /, printed)
})

test('it, its tests and the examples of its README are typed, strictly', { skip, timeout: TIMEOUT_MS }, async () => {
  const pages = join(folder, 'examples')
  mkdirSync(pages)
  for (const [i, code] of examples().entries()) writeFileSync(join(pages, `example_${i}.py`), code)
  const paths = ['src', 'tests', ...examples().map((_, i) => join(pages, `example_${i}.py`))]
  assert.match(
    await run(tools.python, ['-m', 'mypy', '--strict', '--cache-dir', join(folder, 'mypy'), ...paths]),
    /^Success: no issues found/,
  )
  // And what is wrong is found: types that know nothing would let it pass.
  const wrong = join(pages, 'wrong.py')
  writeFileSync(
    wrong,
    `from roadworthy import Roadworthy
client = Roadworthy(base_url="https://fleet.example.com", api_key="key")
client.external.devices.register({"name": 7})
client.external.devices.list(status="parked")
client.external.devices.get("dev-1")["device"]["colour"]
number: int = client.external.usage.get(format="csv")
`,
  )
  const refused = await assertFails(run(tools.python, ['-m', 'mypy', '--strict', '--cache-dir', join(folder, 'mypy'), wrong]))
  for (const line of [3, 4, 5, 6]) assert.match(refused, new RegExp(`wrong\\.py:${line}: error`))
})

async function assertFails(child: Promise<string>): Promise<string> {
  const printed = await child.catch((error: Error) => error.message)
  assert.match(printed, /Found 4 errors/)
  return printed
}

test('its wheel has the client and nothing else, and is installed and used without a network', { skip, timeout: TIMEOUT_MS }, async () => {
  const built = join(folder, 'built')
  await run(tools.python, ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', built])
  const { version } = JSON.parse(readFileSync(join(CLIENT, '../../package.json'), 'utf8')) as { version: string }
  const wheel = join(built, `roadworthy-${version}-py3-none-any.whl`)
  const files = (await run(tools.python, ['-m', 'zipfile', '--list', wheel]))
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(' ')[0] ?? '')
  assert.ok(
    files.some((file) => file.endsWith('/LICENSE')) &&
      files.includes('roadworthy/py.typed') &&
      files.includes('roadworthy/generated/external_types.py'),
  )
  for (const file of files)
    assert.match(file, /^roadworthy(\/(generated\/)?\w+\.py|\/py\.typed|-[\d.]+\.dist-info\/(METADATA|WHEEL|RECORD|licenses\/LICENSE))$/)
  assert.equal(readFileSync(join(CLIENT, 'LICENSE'), 'utf8'), readFileSync(join(CLIENT, '../../LICENSE'), 'utf8'))

  const fresh = join(folder, 'fresh')
  await run(tools.python, ['-m', 'venv', '--without-pip', fresh])
  const python = join(fresh, 'bin/python')
  await run(tools.python, ['-m', 'pip', '--python', python, 'install', '--quiet', '--no-index', '--find-links', tools.wheels, wheel])
  const script = `import importlib.metadata, roadworthy, roadworthy.types
client = roadworthy.Roadworthy(base_url="http://127.0.0.1:1", api_key="key", max_retries=0)
try:
    client.external.health.get()
except roadworthy.ConnectionError as error:
    print(roadworthy.__version__, importlib.metadata.requires("roadworthy"), error.code)`
  const printed = await run(python, ['-W', 'error', '-c', script], {}, folder)
  assert.equal(printed, `${version} ['httpx<1,>=0.27'] connection_failed\n`)
})
