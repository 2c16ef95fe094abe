// Both images, built by Podman in a store of their own, and containers from them, under the restrictions that deploy/compose.yaml has for them.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { parse } from 'yaml'
import { type Base, buildImages, findBase, type ImageName, NoBuilder, type Podman, podmanWith } from '../../tools/setup/build-images.ts'
import { ProgramError, runProgram } from '../../tools/setup/run-program.ts'
import { findProgram } from './programs.ts'
import { whyTooLate } from './time-left.ts'

const COMPOSE = join(import.meta.dirname, '../../deploy/compose.yaml')
const READY_WITHIN_MS = 120_000
/** What a run of the tests may spend on building; more is a machine too slow for it. With nothing else to do two cores take three minutes, beside other tests nine. */
const BUILT_WITHIN_MS = 600_000
/** Less than it may: what it takes longer is within what `.ci/run` keeps for a slow end. */
const BUILDING_TAKES_S = 360
/** Fewer than any machine allows, and more than the platform has. */
export const MAX_PROCESSES = 4_096
/** A folder whose store stays, for who works on the images: unchanged steps are not done again. */
const KEPT_STORE = process.env['ROADWORTHY_IMAGE_STORE']
const SHORT_TIMEOUT_MS = 60_000
const SERVICES: Readonly<Record<ImageName, string>> = { platform: 'roadworthy', engine: 'engine' }

export type BuiltImages = {
  readonly podman: Podman
  readonly base: Base
  readonly images: Readonly<Record<ImageName, string>>
  /** Of Podman, before the command. */
  readonly options: readonly string[]
  /** Why no container starts here; undefined where they do. */
  readonly whyNoRuntime: string | undefined
  remove(): Promise<void>
}

let building: Promise<BuiltImages> | undefined
let users = 0

/** Built once for all tests of the process; rejects with `NoBuilder` where nothing can be built. The last who calls `remove` removes them. */
export async function useBuiltImages(): Promise<BuiltImages> {
  building ??= buildInOwnStore()
  const built = await building
  users++
  const remove = async () => {
    if (--users === 0) await built.remove()
  }
  return { ...built, remove }
}

async function buildInOwnStore(): Promise<BuiltImages> {
  const tooLate = whyTooLate(BUILDING_TAKES_S)
  if (tooLate !== undefined) throw new NoBuilder(tooLate)
  if (findProgram('podman') === undefined) throw new NoBuilder('needs podman')
  if (process.getuid?.() !== 0) throw new NoBuilder('needs root: a store in a temporary folder, and no account of its own')
  // Podman takes no long path for its state.
  const folder = KEPT_STORE ?? mkdtempSync(join(tmpdir(), 'roadworthy-images-'))
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--cgroup-manager', 'cgroupfs']
  const remove = () => (KEPT_STORE === undefined ? removeStore(podmanWith(store), folder) : Promise.resolve())
  const deadlineMs = Date.now() + BUILT_WITHIN_MS
  const inTime: Podman = (args, timeoutMs = SHORT_TIMEOUT_MS) =>
    podmanWith(store)(args, Math.max(1, Math.min(timeoutMs, deadlineMs - Date.now())))
  try {
    const base = await findBase(inTime, folder)
    const images = await buildImages(inTime, folder, base)
    const { runtime, reason } = await findRuntime(store, images.engine)
    const options = [...store, ...runtime]
    return { podman: podmanWith(options), base, images, options, whyNoRuntime: reason, remove }
  } catch (error) {
    await remove()
    // It is slow here, which says nothing of the Containerfile.
    if (error instanceof ProgramError && error.isLate) throw new NoBuilder(error.message)
    throw error
  }
}

/** What is mounted within the folder is unmounted first. */
async function removeStore(podman: Podman, folder: string): Promise<void> {
  await podman(['rm', '--all', '--force', '--volumes'])
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
  for (const mount of mounts.filter((each) => each.startsWith(`${folder}/`)).reverse()) {
    await runProgram('umount', [mount], { timeoutMs: SHORT_TIMEOUT_MS })
  }
  rmSync(folder, { recursive: true, force: true })
}

/** crun does not start where both versions of cgroups are mounted, and runc does. */
async function findRuntime(store: string[], image: string): Promise<{ runtime: string[]; reason?: string }> {
  const failures: string[] = []
  for (const runtime of ['crun', 'runc'].flatMap((name) => findProgram(name) ?? [])) {
    try {
      await podmanWith([...store, '--runtime', runtime])(['run', '--rm', ...restrictionsOf('engine'), image, 'node', '--version'])
      return { runtime: ['--runtime', runtime] }
    } catch (error) {
      failures.push(`${runtime}: ${error}`)
    }
  }
  return { runtime: [], reason: `no container starts: ${failures.join('; ') || 'needs runc or crun'}` }
}

type Service = { read_only: boolean; tmpfs: string[]; cap_drop: string[]; security_opt: string[]; stop_grace_period?: string }

/** As options of `podman run`. No limit above those of this process, which it may not be allowed to raise. */
function restrictionsOf(name: ImageName): string[] {
  const compose = parse(readFileSync(COMPOSE, 'utf8'), { merge: true }) as { services: Record<string, Service> }
  const service = compose.services[SERVICES[name]] ?? assert.fail(name)
  assert.equal(service.read_only, true)
  assert.deepEqual(service.cap_drop, ['ALL'])
  assert.deepEqual(service.security_opt, ['no-new-privileges:true'])
  const limitOptions = ['--ulimit', `nofile=${maxOpenFiles()}`, '--ulimit', `nproc=${MAX_PROCESSES}`]
  return [
    ...['--network', 'host', '--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    ...service.tmpfs.flatMap((path) => ['--tmpfs', path]),
    ...limitOptions,
  ]
}

/** Of this process, which may not be allowed to raise it. */
export function maxOpenFiles(): number {
  const [, hard = '1024'] = /^Max open files +\S+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  return Number(hard)
}

export type Container = {
  readonly name: string
  readonly output: () => string
  /** What a program in it wrote. */
  exec(...command: string[]): Promise<string>
  /** SIGTERM, then waits; the exit code. */
  stop(): Promise<number | null>
}

export type ContainerOptions = {
  readonly name: ImageName
  readonly args: readonly string[]
  readonly volume?: string
  readonly env?: Record<string, string>
}

/** Starts the command of the image with more arguments, and waits until it is ready. */
export async function startContainer(
  t: CleanUp,
  built: BuiltImages,
  { name, args, volume, env = {} }: ContainerOptions,
): Promise<Container> {
  const { podman, images, options } = built
  const command = JSON.parse(await podman(['image', 'inspect', '--format', '{{json .Config.Cmd}}', images[name]])) as string[]
  const containerName = `${name}-${Date.now()}`
  const given = [
    ...(volume === undefined ? [] : ['--volume', `${volume}:/data`]),
    ...Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
  ]
  const run = ['run', '--rm', '--name', containerName, ...restrictionsOf(name), ...given, images[name], ...command, ...args]
  const child = spawn('podman', [...options, ...run], { stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    await podman(['kill', containerName])
    await ended
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  for (let waitedMs = 0; !/^ready/m.test(output); waitedMs += 50) {
    assert.ok(child.exitCode === null && waitedMs < READY_WITHIN_MS, output)
    await sleep(50)
  }
  const exec = (...words: string[]) => podman(['exec', containerName, ...words], SHORT_TIMEOUT_MS)
  return { name: containerName, output: () => output, exec, stop: () => stop(child) }
}

/** Podman hands the signal to the first program of the container, and its exit code back. */
async function stop(child: ChildProcess): Promise<number | null> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
  return child.exitCode
}
