// What of the machine, the container or the process keeps an instance from running well.

import { existsSync, globSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { type Finding, okay, skip, warning, wrong } from '../finding.ts'

/** Type stripping without a warning. */
const MINIMUM_NODE = [24, 12] as const
const MIB = 1024 ** 2
/** The platform has 150 to 250 MB, the engine 130 MB, PostgreSQL 100 MB or so (docs/operations.md has how they were measured). */
const LEAST_MEMORY_MIB = 512
const GOOD_MEMORY_MIB = 1_024
/** What PostgreSQL asks for of parallel workers; containers have 64 MB unless set. */
const LEAST_SHARED_MIB = 64
/** A connection is a file: devices on MQTT, callers, files of PostgreSQL. Assumption: 1,000 devices and as much again. */
const LEAST_FILES = 2_048
const LEAST_DISK_MIB = 256
const GOOD_DISK_MIB = 1_024

export type Machine = {
  readonly nodeVersion: string
  /** `TZ`; undefined: not set. */
  readonly timeZone: string | undefined
  /** Files of Linux; where they are not, the check is skipped. */
  readonly memoryLimit: string
  readonly limits: string
  /** Undefined: PostgreSQL, which takes it, is elsewhere. */
  readonly sharedMemory: string | undefined
}

export function thisMachine(timeZone: string | undefined, hasPostgres: boolean): Machine {
  const at = { memoryLimit: '/sys/fs/cgroup/memory.max', limits: '/proc/self/limits', sharedMemory: hasPostgres ? '/dev/shm' : undefined }
  return { nodeVersion: process.versions.node, timeZone, ...at }
}

export function checkMachine(machine: Machine): Finding[] {
  return [checkNode(machine), checkMemory(machine), checkFiles(machine), checkSharedMemory(machine), checkTimeZone(machine)]
}

function checkNode({ nodeVersion }: Machine): Finding {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const isRecent = major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])
  if (isRecent) return okay('node', `${nodeVersion} at ${process.execPath}`)
  return wrong('node', {
    detail: `${nodeVersion} is older than ${MINIMUM_NODE.join('.')}.`,
    why: 'It does not run TypeScript, which the service is written in.',
    fix: 'Run "npm ci", which installs a Node that does, or install a newer one.',
  })
}

function checkMemory({ memoryLimit }: Machine): Finding {
  const limit = existsSync(memoryLimit) ? Number(readFileSync(memoryLimit, 'utf8')) : Number.NaN
  // "max" where there is none.
  const isLimited = Number.isFinite(limit) && limit < totalmem()
  const mib = Math.floor((isLimited ? limit : totalmem()) / MIB)
  const detail = `${mib} MiB${isLimited ? `, the limit of the control group (${memoryLimit})` : ' in this machine'}`
  if (mib >= GOOD_MEMORY_MIB) return okay('memory', detail)
  const judged = {
    detail: `${detail}; ${GOOD_MEMORY_MIB} MiB are good, ${LEAST_MEMORY_MIB} MiB the least.`,
    why: 'The kernel ends a process that takes more, PostgreSQL or the service, and what it was doing begins anew.',
    fix: `Give it more (docker run --memory, MemoryMax= of systemd, resources.limits.memory of Kubernetes), or run the engine elsewhere and set ENGINE_URL.`,
  }
  return mib < LEAST_MEMORY_MIB ? wrong('memory', judged) : warning('memory', judged)
}

function checkFiles({ limits }: Machine): Finding {
  const soft = existsSync(limits) ? /^Max open files\s+(\S+)/m.exec(readFileSync(limits, 'utf8'))?.[1] : undefined
  if (soft === undefined) return skip('open files', 'the limit cannot be read here')
  if (soft === 'unlimited' || Number(soft) >= LEAST_FILES) return okay('open files', `${soft} may be open at once`)
  return warning('open files', {
    detail: `${soft} may be open at once; ${LEAST_FILES} are the least for a fleet.`,
    why: 'Each connection of a device or caller is one. When there are no more, new connections fail, those of the database as well.',
    fix: 'Raise it: ulimit -n 65536 in the shell, LimitNOFILE=65536 of systemd, --ulimit nofile=65536 of Docker.',
  })
}

function checkSharedMemory({ sharedMemory }: Machine): Finding {
  if (sharedMemory === undefined) return skip('shared memory', 'PostgreSQL is not the embedded one')
  if (!existsSync(sharedMemory)) return skip('shared memory', `there is no ${sharedMemory} here`)
  const { blocks, bsize } = statfsSync(sharedMemory)
  const mib = Math.floor((blocks * bsize) / MIB)
  if (mib >= LEAST_SHARED_MIB) return okay('shared memory', `${sharedMemory} has ${mib} MiB`)
  return warning('shared memory', {
    detail: `${sharedMemory} has ${mib} MiB; ${LEAST_SHARED_MIB} are the least.`,
    why: 'Queries of the embedded PostgreSQL that run in parallel fail with "could not resize shared memory segment".',
    fix: 'Enlarge it: --shm-size=256m of Docker, shm_size of Compose, an emptyDir with medium Memory at /dev/shm in Kubernetes.',
  })
}

/** Node takes a zone that it does not know for UTC, without a word. */
function checkTimeZone({ timeZone }: Machine): Finding {
  if (timeZone === undefined || timeZone === '')
    return okay('time zone', `${Intl.DateTimeFormat().resolvedOptions().timeZone}, that of the machine`)
  // POSIX allows a colon before the name of a zone.
  const name = timeZone.replace(/^:/, '')
  try {
    return okay('time zone', `${new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone} (TZ)`)
  } catch {
    return wrong('time zone', {
      detail: `TZ is ${JSON.stringify(timeZone)}, which is no time zone.`,
      why: 'Times in logs and in what this process prints are then UTC. Bills and reports follow the time zone of each reseller all the same.',
      fix: 'Set TZ to a name such as Europe/Berlin or UTC, or leave it out.',
    })
  }
}

/** Free space where the data folder is. */
export function checkDisk(dataDir: string): Finding {
  if (!existsSync(dataDir)) return skip('disk', `there is no ${dataDir}`)
  const { bavail, bsize } = statfsSync(dataDir)
  const mib = Math.floor((bavail * bsize) / MIB)
  if (mib >= GOOD_DISK_MIB) return okay('disk', `${mib} MiB free where ${dataDir} is`)
  const judged = {
    detail: `${mib} MiB free where ${dataDir} is; from ${GOOD_DISK_MIB} MiB on it is good, ${LEAST_DISK_MIB} MiB are the least.`,
    why: 'When the disk is full the database takes no writes, and nothing that devices send is acknowledged.',
    fix: 'Free some, enlarge the disk, or keep readings for less long (READINGS_RETENTION_DAYS, READINGS_HOT_DAYS).',
  }
  return mib < LEAST_DISK_MIB ? wrong('disk', judged) : warning('disk', judged)
}

/** Whether the pages of the dashboard were built from the sources that are there. An image has no sources. */
export function checkBuild(root: string): Finding {
  const mark = join(root, 'apps/dashboard/dist/built-from')
  const sources = globSync('apps/dashboard/{src,public}/**/*.{ts,tsx,css,js}', { cwd: root }).map((name) => join(root, name))
  const fix = 'Run "npm run build --workspace apps/dashboard", or start with "npm start", which builds it when it has to.'
  const why = 'Pages that do not belong to the service show errors, or not what it has.'
  if (!existsSync(mark)) {
    return sources.length === 0
      ? skip('build', 'this copy has no sources of the dashboard')
      : warning('build', {
          detail: 'The dashboard is not built.',
          why: 'Its address shows a note in place of the pages; the APIs run.',
          fix,
        })
  }
  const builtMs = statSync(mark).mtimeMs
  const newer = sources.filter((source) => statSync(source).mtimeMs > builtMs)
  if (newer.length === 0) return okay('build', 'the dashboard is as new as its sources')
  return warning('build', { detail: `The dashboard is older than ${newer.length} of its sources.`, why, fix })
}
