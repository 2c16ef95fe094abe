// Goal: the images of deploy/container/Containerfile can be built, have what they should and nothing else, and start under the restrictions of
// deploy/compose.yaml. Method: both are built with Podman, looked into, started, called as a user would, and ended by SIGTERM. Without a registry of
// images the base is Debian by mmdebstrap. Where no image can be built or started, the same programs are started from the list of their files.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { readBuildCommit } from '@roadworthy/service-kit/process/build-commit'
import { IMAGE_NAMES, type ImageName, MOUNTED, NoBuilder } from '../../tools/setup/build-images.ts'
import { isInImage } from '../../tools/setup/image-files.ts'
import { type BuiltImages, startContainer, useBuiltImages } from '../support/containers.ts'
import { call, type FirstCredentials } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'
import { startEngineFromFiles, startPlatformFromFiles } from './start-from-files.ts'

const ROOT = join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
/** Made by tools in a build: accounts before the last change, and names of hosts. */
const MADE_BY_TOOLS = /^etc\/(hosts|resolv\.conf|(passwd|group|gshadow|shadow|subuid|subgid)-?)$/
/** Of what the image adds to its base; measured: 345 and 132. */
const MAX_MB: Readonly<Record<ImageName, number>> = { platform: 400, engine: 170 }

let built: BuiltImages | undefined
let whyNot = ''

before(async () => {
  try {
    built = await useBuiltImages()
  } catch (error) {
    if (!(error instanceof NoBuilder)) throw error
    whyNot = error.message
  }
})
after(() => built?.remove())

type Config = {
  readonly User: string
  readonly Env: string[]
  readonly Cmd: string[]
  readonly Labels: Record<string, string>
  readonly Volumes?: Record<string, unknown>
}

async function inspect<T>({ podman, images }: BuiltImages, name: ImageName, field: string): Promise<T> {
  return JSON.parse(await podman(['image', 'inspect', '--format', `{{json ${field}}}`, images[name]])) as T
}

/** Every file and folder in it, from its root. */
function listAll(root: string): string[] {
  return globSync('**', { cwd: root, exclude: (path) => path === 'app' || path === 'proc' || path === 'sys' || path === 'dev' })
}

const MADE_BY_BUILD: ReadonlySet<string> = new Set(['sbom.json', 'COMMIT'])

for (const name of IMAGE_NAMES) {
  test(`the image of the ${name} says what it is, and runs as an account without rights`, async (t) => {
    if (built === undefined) return t.skip(whyNot)
    const config = await inspect<Config>(built, name, '.Config')
    assert.equal(config.User, '10001:10001')
    const labels = (given: string) => config.Labels[`org.opencontainers.image.${given}`]
    assert.deepEqual([labels('title'), labels('version'), labels('licenses')], [`Roadworthy ${name}`, version, 'Apache-2.0'])
    assert.match((await inspect<string[]>(built, name, '.HealthCheck.Test')).join(' '), /^CMD node -e fetch.*\/livez/)
    const names = config.Env.map((each) => each.split('=')[0] ?? '')
    assert.deepEqual(
      names.filter((each) => /TOKEN|KEY|PASSWORD|SECRET|PROXY|REGISTRY/i.test(each)),
      [],
    )
    assert.deepEqual(Object.keys(config.Volumes ?? {}), name === 'platform' ? ['/data'] : [])
  })

  test(`the image of the ${name} has the files that it should, and adds nothing else to its base`, async (t) => {
    if (built === undefined) return t.skip(whyNot)
    const { podman, images, base } = built
    const root = (await podman(['image', 'mount', images[name]])).trim()
    const app = join(root, 'app')
    const own = globSync('**', { cwd: app, exclude: (path) => /(^|\/)node_modules$/.test(path) }).filter((path) =>
      statSync(join(app, path)).isFile(),
    )
    const pages = own.filter((path) => path.startsWith('apps/dashboard/dist/'))
    assert.equal(pages.length > 0, name === 'platform')
    assert.equal(readFileSync(join(app, 'COMMIT'), 'utf8').trim(), readBuildCommit())
    assert.deepEqual(own.filter((path) => !pages.includes(path) && !MADE_BY_BUILD.has(path)).sort(), filesOfRepository(name))

    const baseRoot = (await podman(['image', 'mount', base.image])).trim()
    const ofBase = new Set(listAll(baseRoot))
    const mounted = Object.values(MOUNTED).map((path) => path.slice(1))
    const added = listAll(root).filter((path) => !ofBase.has(path) && !MADE_BY_TOOLS.test(path) && path !== 'app')
    assert.deepEqual(
      added.filter((path) => !mounted.includes(path)),
      ['data', 'data/history'],
    )
    for (const path of mounted.filter((each) => added.includes(each))) {
      const { size } = statSync(join(root, path))
      assert.ok(statSync(join(root, path)).isDirectory() || size === 0, path)
    }
    const sizeOf = (image: string) => podman(['image', 'inspect', '--format', '{{.Size}}', image])
    const sizeMb = (Number(await sizeOf(images[name])) - Number(await sizeOf(base.image))) / 1e6
    t.diagnostic(`${name}: ${sizeMb.toFixed(0)} MB beside the base, ${base.isMade ? 'which was made here' : base.image}`)
    assert.ok(sizeMb < MAX_MB[name], `${sizeMb} MB`)
  })

  test(`the image of the ${name} has no package for development, and its bill of materials has every other`, async (t) => {
    if (built === undefined) return t.skip(whyNot)
    const app = join((await built.podman(['image', 'mount', built.images[name]])).trim(), 'app')
    const installed = globSync('node_modules/{*,@*/*}/package.json', { cwd: app })
      .filter((path) => !path.startsWith('node_modules/@roadworthy/') && path !== 'node_modules/roadworthy/package.json')
      .map((path) => JSON.parse(readFileSync(join(app, path), 'utf8')) as { name: string; version: string })
    const { components } = JSON.parse(readFileSync(join(app, 'sbom.json'), 'utf8')) as { components: { purl: string }[] }
    const listed = new Set(components.map(({ purl }) => decodeURIComponent(purl)))
    assert.ok(installed.length > 50, `${installed.length} packages`)
    assert.deepEqual(
      installed.filter((each) => !listed.has(`pkg:npm/${each.name}@${each.version}`)),
      [],
    )
    for (const tool of ['typescript', '@biomejs/biome', 'vite', '@rolldown/binding-linux-x64-gnu', 'playwright-core', 'fast-check']) {
      assert.equal(existsSync(join(app, 'node_modules', tool)), false, tool)
    }
  })
}

/** Which the repository has for the image, new ones too. */
function filesOfRepository(name: ImageName): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const all = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0')
  return [...new Set(all)].filter((path) => isInImage(name, path) && existsSync(join(ROOT, path))).sort()
}

/** Skips where images are built and no container starts. */
function runnable(t: TestContext): BuiltImages | undefined {
  const reason = built === undefined ? whyNot : built.whyNoRuntime
  if (reason !== undefined) t.skip(reason)
  return reason === undefined ? built : undefined
}

test('the platform starts from its image, with a root that it cannot write, takes a reading, judges it, and starts again with its data', async (t) => {
  const images = runnable(t)
  if (images === undefined) return
  const ports = ['--port', '0', '--engine-port', '0', '--mqtt-port', '0', '--metrics-port', '0', '--host', '127.0.0.1', '--no-demo']
  // A volume that is new gets the folder's owner from the image.
  const options = { name: 'platform', args: ports, volume: 'platform-data' } as const
  const first = await startContainer(t, images, options)
  const { base_url: url, api_key: key } = JSON.parse(await first.exec('cat', '/data/credentials.json')) as FirstCredentials
  assert.equal((await call(url, 'GET', '/readyz')).status, 200)
  assert.match(await (await fetch(url)).text(), /<div id="root">/)
  assert.match(await first.exec('id'), /^uid=10001\(roadworthy\) gid=10001\(roadworthy\)/)
  assert.match(await first.exec('grep', 'CapEff', '/proc/self/status'), /\t0000000000000000\n/)
  await assert.rejects(first.exec('touch', '/app/file'), /Read-only file system/)
  await assert.rejects(first.exec('touch', '/usr/file'), /Read-only file system/)
  assert.doesNotMatch(first.output(), /programs are copied/)

  const body = { name: 'A', vehicle: { mode: 'create', make: 'A' } }
  const { device_id: deviceId } = ok<Row>(await call(url, 'POST', '/api/external/devices', { key, body }))
  const reading = { device_id: deviceId, timestamp: new Date().toISOString(), sensor_data: { rpm: 800 } }
  assert.equal((await call(url, 'POST', '/api/external/telemetry', { key, body: reading })).status, 200)
  const question = { vehicle_id: 'v', sensor_data: { coolant_temp: 120 } }
  assert.equal((await call(url, 'POST', '/api/external/predict', { key, body: question })).status, 200)
  assert.equal(await first.stop(), 0, first.output())

  const second = await startContainer(t, images, options)
  const { base_url: newUrl } = JSON.parse(await second.exec('cat', '/data/credentials.json')) as FirstCredentials
  const devices = await call(newUrl, 'GET', '/api/external/devices', { key })
  assert.ok(JSON.stringify(devices.body).includes(`"${deviceId}"`), JSON.stringify(devices.body))
  assert.equal(await second.stop(), 0, second.output())
})

test('the engine starts from its image, with a root that it cannot write, and predicts; its check of health succeeds', async (t) => {
  const images = runnable(t)
  if (images === undefined) return
  const { exec, output, stop, name } = await startContainer(t, images, { name: 'engine', args: ['--port', '0'] })
  const port = /^ready engine http:\/\/\S+:(\d+)/m.exec(output())?.[1] ?? assert.fail(output())
  const url = `http://127.0.0.1:${port}`
  assert.equal((await call(url, 'GET', '/readyz')).status, 200)
  const answer = await call(url, 'POST', '/v1/predict', { body: { vehicleId: 'v', coolant_temp: 120 } })
  assert.equal(ok<{ vehicleId: string }>(answer).vehicleId, 'v')
  await assert.rejects(exec('touch', '/app/file'), /Read-only file system/)
  const check = await inspect<string[]>(images, 'engine', '.HealthCheck.Test')
  const [, ...command] = check
  await images.podman(['exec', '--env', `ENGINE_PORT=${port}`, name, ...command])
  await assert.rejects(images.podman(['exec', '--env', 'ENGINE_PORT=1', name, ...command]), /ended with 1/)
  assert.equal(await stop(), 0, output())
})

for (const [name, startFromFiles] of [
  ['platform', startPlatformFromFiles],
  ['engine', startEngineFromFiles],
] as const) {
  test(`without images: the ${name} starts from its files, answers and stops`, async (t) => {
    if (built !== undefined && built.whyNoRuntime === undefined) return t.skip('its image is started')
    await startFromFiles(t)
  })
}
