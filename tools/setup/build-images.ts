// `npm run images`: builds both images with Podman, as deploy/container/Containerfile has them, into Podman's own store. The base is the one that the
// file names; where no registry is reached, and mmdebstrap is there, one is made (debian-base.ts).

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readBuildCommit } from '@roadworthy/service-kit/process/build-commit'
import { writeDebianBase } from './debian-base.ts'
import { ProgramError, runProgram } from './run-program.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const CONTAINERFILE = 'deploy/container/Containerfile'
const MADE_BASE = 'localhost/roadworthy-made-base'
const PULL_TIMEOUT_MS = 120_000
const SHORT_TIMEOUT_MS = 120_000
const BUILD_TIMEOUT_MS = 420_000

export const IMAGE_NAMES = ['platform', 'engine'] as const
export type ImageName = (typeof IMAGE_NAMES)[number]

/** Where the settings of this machine's npm are while packages are installed in a build. A build leaves each as an empty file or folder. */
export const MOUNTED = { settings: '/usr/local/etc/npmrc', authorities: '/run/build-authorities.crt', cache: '/var/cache/npm' } as const

/** Nothing can be built here, and no change of the Containerfile would help. */
export class NoBuilder extends Error {
  override readonly name = 'NoBuilder'
}

export type Podman = (args: readonly string[], timeoutMs?: number) => Promise<string>

/** `options`: where its store is; its own where none are given. */
export function podmanWith(options: readonly string[] = [], onOutput?: (text: string) => void): Podman {
  return (args, timeoutMs = SHORT_TIMEOUT_MS) => {
    const all = [...options, ...args]
    return runProgram('podman', all, { timeoutMs, ...(onOutput === undefined ? {} : { onOutput }) })
  }
}

export type Base = { readonly image: string; readonly isMade: boolean }

/** Builds both from that base; answers their tags. */
export async function buildImages(podman: Podman, folder: string, base: Base): Promise<Record<ImageName, string>> {
  const options = [
    ...(await buildOptions(folder)),
    '--pull=never',
    '--build-arg',
    `BASE=${base.image}`,
    '--build-arg',
    `COMMIT=${readBuildCommit(ROOT)}`,
    '--file',
    join(ROOT, CONTAINERFILE),
  ]
  for (const name of IMAGE_NAMES) await podman(['build', ...options, '--target', name, '--tag', tagOf(name), ROOT], BUILD_TIMEOUT_MS)
  return { platform: tagOf('platform'), engine: tagOf('engine') }
}

/** The base that the Containerfile names, or one that is made; and that both a program and npm run in a build from it. */
export async function findBase(podman: Podman, folder: string): Promise<Base> {
  const base = await pullOrMakeBase(podman, folder)
  const context = join(folder, 'probe')
  mkdirSync(context, { recursive: true })
  writeFileSync(join(context, 'Containerfile'), `FROM ${base.image}\nRUN node --version && npm view typescript version\n`)
  await orNoBuilder('a build in which npm asks its registry', async () =>
    podman(['build', ...(await buildOptions(folder)), '--pull=never', '--no-cache', context]),
  )
  return base
}

async function pullOrMakeBase(podman: Podman, folder: string): Promise<Base> {
  const [, named] = /^ARG BASE=(\S+)$/m.exec(readFileSync(join(ROOT, CONTAINERFILE), 'utf8')) ?? []
  if (named === undefined) throw new Error(`${CONTAINERFILE} names no base: ARG BASE=…`)
  try {
    await podman(['pull', '--quiet', named], PULL_TIMEOUT_MS)
    return { image: named, isMade: false }
  } catch (error) {
    if (!(error instanceof ProgramError)) throw new NoBuilder(`podman does not run: ${error}`)
    await orNoBuilder(`a base, as ${named} is not to be had (${error.message})`, async () => {
      if (await hasImage(podman, MADE_BASE)) return
      const context = join(folder, 'base')
      await writeDebianBase(ROOT, context)
      await podman(['build', '--isolation', 'chroot', '--tag', MADE_BASE, context])
      rmSync(context, { recursive: true })
    })
    return { image: MADE_BASE, isMade: true }
  }
}

async function hasImage(podman: Podman, image: string): Promise<boolean> {
  return (await podman(['image', 'ls', '--quiet', '--filter', `reference=${image}`])).trim() !== ''
}

async function orNoBuilder(what: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    throw new NoBuilder(`cannot make ${what}: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * Podman's own format has no HEALTHCHECK, hence Docker's. Without a runtime of containers, which a build does not need and which may be forbidden
 * here, hence chroot. Packages come from where npm takes them here, and certificates are held to whom this machine trusts.
 */
async function buildOptions(folder: string): Promise<string[]> {
  const setting = async (name: string) => (await runProgram('npm', ['config', 'get', name], { timeoutMs: SHORT_TIMEOUT_MS })).trim()
  const [registry, authorities, cache] = [await setting('registry'), await setting('cafile'), await setting('cache')]
  const trusted = process.env['NODE_EXTRA_CA_CERTS'] ?? (authorities === 'null' ? undefined : authorities)
  const npmrc = join(folder, 'npmrc')
  writeFileSync(npmrc, `registry=${registry}\ncache=${MOUNTED.cache}\n${trusted === undefined ? '' : `cafile=${MOUNTED.authorities}\n`}`)
  mkdirSync(cache, { recursive: true })
  const mounts = [`${npmrc}:${MOUNTED.settings}:ro`, `${cache}:${MOUNTED.cache}`]
  if (trusted !== undefined) mounts.push(`${trusted}:${MOUNTED.authorities}:ro`)
  return ['--format', 'docker', '--isolation', 'chroot', '--network', 'host', ...mounts.flatMap((mount) => ['--volume', mount])]
}

function tagOf(name: ImageName): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  return `localhost/roadworthy-${name}:${version}`
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-images-'))
  try {
    const podman = podmanWith([], (text) => process.stderr.write(text))
    const base = await findBase(podman, folder)
    const images = await buildImages(podman, folder, base)
    console.log(`${Object.values(images).join(', ')} from ${base.isMade ? 'a base that was made here, for trying' : base.image}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
