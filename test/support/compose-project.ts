// deploy/compose.yaml as a whole, by Compose and Podman's interface for it. The images of others are stand-ins (stand-ins.ts). Compose gets the file as it is but for
// the ports of this machine, which it chooses, and for folders of this machine that stand-ins want.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { parse } from 'yaml'
import type { Podman } from '../../tools/setup/build-images.ts'
import { getKafka, jarCache } from '../../tools/setup/get-kafka.ts'
import { type BuiltImages, MAX_PROCESSES, maxOpenFiles } from './containers.ts'
import { findProgram } from './programs.ts'
import { buildStandIns, MACHINE_VOLUMES, missingFor, type StandIn } from './stand-ins.ts'
import { whyTooLate } from './time-left.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOCKET_WITHIN_MS = 120_000
const LINES_WITHIN_MS = 240_000
const CHECK_EVERY_MS = 1_000
/** Measured: 170 to 215 on two cores. */
const TESTS_TAKE_S = 240
/** aardvark-dns 1.4 leaves names unanswered for seconds, at times, after other containers have ended. The lines of the guide may be repeated. */
const NAME_MISSING = /could not translate host name|failure in name resolution|EAI_AGAIN|UnknownHostException/
const NAME_REPEATS = 2
/** Of Docker, which docs/guides/deployment.md names; Podman has others. */
const SUBNETS = '172.20.0.0/16'

export type Compose = {
  /** For each image of others, why there is no stand-in; undefined where there is one. */
  readonly missing: Readonly<Record<StandIn, string | undefined>>
  /** A copy of deploy/, with containers, networks and volumes of its own. */
  openProject(t: CleanUp): Promise<Project>
  close(): Promise<void>
}

export type Project = {
  /** In the root of the copy, as who follows the guide; what it printed. A line that fails throws. */
  run(lines: string): Promise<string>
  /** `host:port` on this machine of a port that the service publishes. */
  addressOf(service: string, port: number): Promise<string>
}

/** Why Compose brings nothing up here; undefined where it does. */
export async function whyNoCompose({ podman, images }: BuiltImages): Promise<string | undefined> {
  const tooLate = whyTooLate(TESTS_TAKE_S)
  if (tooLate !== undefined) return tooLate
  for (const name of ['docker-compose', 'netavark', 'iptables']) {
    if (findProgram(name) === undefined && !existsSync(join('/usr/lib/podman', name))) return `needs ${name}`
  }
  try {
    await podman(['network', 'create', 'probe'])
    const limits = ['--ulimit', `nofile=${maxOpenFiles()}`, '--ulimit', `nproc=${MAX_PROCESSES}`]
    await podman(['run', '--rm', '--network', 'probe', ...limits, images.engine, 'node', '--version'])
    await podman(['network', 'rm', 'probe'])
    return undefined
  } catch (error) {
    return `no container has a network of its own here: ${error}`
  }
}

/** Starts what Compose asks, and makes the stand-ins. */
export async function startCompose(built: BuiltImages): Promise<Compose> {
  // Short: it is the path of a socket.
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-compose-'))
  const shipped = readCompose(join(ROOT, 'deploy/compose.yaml'))
  const settings = join(folder, 'containers.conf')
  writeFileSync(settings, containersConf())
  const { missing, classPath } = await findParts()
  const there = (Object.keys(IMAGE_OF) as StandIn[]).filter((name) => missing[name] === undefined)
  const tags = Object.fromEntries(there.map((name) => [name, `docker.io/${hubName(imageOf(name, shipped))}`]))
  await buildStandIns(built.podman, folder, tags)
  // Where Docker looks for a name without a host.
  for (const image of Object.values(built.images)) await built.podman(['tag', image, image.replace('localhost/', 'docker.io/library/')])
  const socket = join(folder, 'podman.sock')
  const service = spawn('podman', [...built.options, 'system', 'service', '--time=0', `unix://${socket}`], {
    env: { ...process.env, CONTAINERS_CONF: settings },
    stdio: 'ignore',
  })
  for (let waitedMs = 0; !existsSync(socket); waitedMs += CHECK_EVERY_MS) {
    if (waitedMs > SOCKET_WITHIN_MS || service.exitCode !== null) throw new Error('podman system service does not start')
    await sleep(CHECK_EVERY_MS)
  }
  const checks = checkHealth(built.podman)
  let projects = 0
  return {
    missing,
    openProject: async (t) => {
      const root = join(folder, `project-${++projects}`)
      cpSync(join(ROOT, 'deploy'), join(root, 'deploy'), { recursive: true })
      // JSON is YAML, of every version.
      writeFileSync(join(root, 'deploy/compose.yaml'), JSON.stringify(adapt(shipped, classPath)))
      return openProject(t, root, `roadworthy-${projects}`, { socket, podman: built.podman, options: built.options })
    },
    close: async () => {
      await checks.stop()
      await endProcess(service)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What there is no stand-in for, and the class path of Kafka. */
async function findParts(): Promise<{ missing: Compose['missing']; classPath: string }> {
  const missing = Object.fromEntries(Object.keys(IMAGE_OF).map((name) => [name, missingFor(name as StandIn)])) as Compose['missing']
  if (missing.kafka !== undefined) return { missing, classPath: '' }
  try {
    return { missing, classPath: await getKafka(jarCache()) }
  } catch (error) {
    return { missing: { ...missing, kafka: `Kafka, which cannot be had from Maven (${error})` }, classPath: '' }
  }
}

type Service = { image: string; ports?: string[]; volumes?: string[]; environment?: Record<string, string> }
type ComposeFile = { services: Record<string, Service> }

function readCompose(path: string): ComposeFile {
  return parse(readFileSync(path, 'utf8'), { merge: true }) as ComposeFile
}

/** Which service has the image that each stands in for. */
const IMAGE_OF: Readonly<Record<StandIn, string>> = {
  postgres: 'database',
  citus: 'citus-1',
  kafka: 'kafka',
  mosquitto: 'mosquitto',
  prometheus: 'prometheus',
}

function imageOf(name: StandIn, { services }: ComposeFile): string {
  const image = services[IMAGE_OF[name]]?.image
  if (image === undefined) throw new Error(`deploy/compose.yaml has no service ${IMAGE_OF[name]}`)
  return image.replace(/^\$\{\w+:-(.*)\}$/, '$1')
}

function hubName(image: string): string {
  return image.includes('/') ? image : `library/${image}`
}

/** Ports that are free on this machine, and its folders for who has a stand-in. */
function adapt(shipped: ComposeFile, classPath: string): ComposeFile {
  const services = Object.entries(shipped.services).map(([name, service]) => {
    const isOwn = service.image.startsWith('roadworthy-')
    const ports = service.ports?.map((port) => `127.0.0.1::${port.split(':').at(-1)}`)
    const volumes = [...(service.volumes ?? []), ...(isOwn ? [] : MACHINE_VOLUMES)]
    const environment = { ...service.environment }
    if (name === 'kafka' && classPath !== '') {
      volumes.push(`${jarCache()}:${jarCache()}:ro`)
      environment['STAND_IN_CLASS_PATH'] = classPath
    }
    return [name, { ...service, environment, volumes, ...(ports === undefined ? {} : { ports }) }]
  })
  return { ...shipped, services: Object.fromEntries(services) }
}

/** No limit above those of this process, which it may not be allowed to raise. */
function containersConf(): string {
  const limits = [`nofile=${maxOpenFiles()}:${maxOpenFiles()}`, `nproc=${MAX_PROCESSES}:${MAX_PROCESSES}`]
  return [
    '[containers]',
    `default_ulimits = ${JSON.stringify(limits)}`,
    '[network]',
    `default_subnet_pools = [{ base = "${SUBNETS}", size = 24 }]`,
    '',
  ].join('\n')
}

/** What systemd does for Podman, on machines that have it: looks at the health of each container. */
function checkHealth(podman: Podman): { stop(): Promise<void> } {
  let isStopped = false
  const checkAll = async () => {
    while (!isStopped) {
      // Both commands fail for a container that is removed meanwhile, and the second while one is not healthy. Compose reports what never is.
      const starting = await podman(['ps', '--quiet', '--filter', 'health=starting']).catch(() => '')
      for (const id of starting.split('\n').filter((each) => each !== '')) await podman(['healthcheck', 'run', id]).catch(() => '')
      await sleep(CHECK_EVERY_MS)
    }
  }
  const done = checkAll()
  return {
    stop: async () => {
      isStopped = true
      await done
    },
  }
}

/** `docker compose` as Docker has it: this Compose is a program of its own, wants `-T` where nobody types, and calls `docker exec`. */
function dockerScript(options: readonly string[]): string {
  return `#!/usr/bin/env bash
[ "$1" = compose ] || exec podman ${options.join(' ')} "$@"
shift
args=()
for arg; do
  args+=("$arg")
  if [ "$arg" = exec ] || [ "$arg" = run ]; then args+=(-T); fi
done
exec docker-compose "\${args[@]}"
`
}

type ProjectParts = { readonly socket: string; readonly podman: Podman; readonly options: readonly string[] }

async function openProject(t: CleanUp, root: string, name: string, given: ProjectParts): Promise<Project> {
  const programs = join(root, '.programs')
  mkdirSync(programs)
  writeFileSync(join(programs, 'docker'), dockerScript(given.options), { mode: 0o755 })
  const env = {
    PATH: `${programs}:${process.env['PATH']}`,
    HOME: root,
    DOCKER_HOST: `unix://${given.socket}`,
    COMPOSE_PROJECT_NAME: name,
    COMPOSE_HTTP_TIMEOUT: String(LINES_WITHIN_MS / 1000),
  }
  const run = async (lines: string, repeats = NAME_REPEATS): Promise<string> => {
    const child = spawn('bash', ['-c', `set -e\n${lines}`], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: LINES_WITHIN_MS })
    let output = ''
    let all = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (all += String(chunk)))
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0 && repeats > 0 && NAME_MISSING.test(all)) return await run(lines, repeats - 1)
    if (code !== 0) throw new Error(`${lines} ended with ${code}: ${all.slice(-4_000)}`)
    return output
  }
  t.after(async () => {
    // Of this project alone: another one may have made what no container has yet.
    const ofProject = async (...list: string[]) =>
      (await given.podman([...list, '--quiet', '--filter', `label=com.docker.compose.project=${name}`]))
        .split('\n')
        .filter((each) => each !== '')
    for (const id of await ofProject('ps', '--all')) await given.podman(['rm', '--force', '--volumes', '--time', '0', id])
    for (const network of await ofProject('network', 'ls')) await given.podman(['network', 'rm', network])
    for (const volume of await ofProject('volume', 'ls')) await given.podman(['volume', 'rm', volume])
  })
  return {
    run,
    addressOf: async (service, port) => {
      const labels = [`project=${name}`, `service=${service}`].flatMap((label) => ['--filter', `label=com.docker.compose.${label}`])
      const id = (await given.podman(['ps', '--quiet', ...labels])).trim()
      return (await given.podman(['port', id, String(port)])).trim()
    },
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
