// Checks that can fail for reasons a person must mend, made before anything is started, so that they are reported at once and together.

import { accessSync, constants, existsSync, mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import { checkTlsFiles } from './http/tls-files.ts'
import { rolesOf } from './roles.ts'
import { mapFilesOf } from './settings/map-settings.ts'
import { listenPorts, type PlatformSettings } from './settings/settings.ts'
import { StartError } from './start-error.ts'

/** After a SIGKILL the engine of that service needs a moment to notice; its port is not "in use" by then. */
const PORT_WAIT_MS = 3000
const PORT_POLL_MS = 100

/** What a new PostgreSQL takes with its first segments of the log, 80 MiB, and room to begin with. Assumption beyond the first. */
const FIRST_START_BYTES = 256 * 1024 ** 2
const MIB = 1024 ** 2

/** Throws one `StartError` with a line for every problem found. What the service can do without for a while is logged. */
export async function checkSurroundings(
  settings: PlatformSettings,
  database: 'embedded' | 'of your own',
  log: Pick<Logger, 'error'>,
): Promise<void> {
  const dataDir = checkDataDir(settings.dataDir)
  const space = dataDir.length === 0 && database === 'embedded' ? checkSpace(settings.dataDir) : []
  const problems = [...dataDir, ...space, ...checkTlsFiles(settings), ...checkMapFiles(settings), ...(await checkPorts(settings))]
  if (problems.length > 0) throw new StartError(problems.join('\n'))
  reportHistoryDir(settings, log)
}

function checkDataDir(dataDir: string): string[] {
  const why = whyNotWritable(dataDir)
  if (why === undefined) return []
  return [
    `DATA_DIR ${dataDir} cannot be written (${why}). Give this user the right to write there, or choose another folder with --data-dir.`,
  ]
}

/** A disk that is full or away keeps no reading from being taken: they stay in PostgreSQL. Processes without the role `worker` write nothing there. */
function reportHistoryDir(settings: PlatformSettings, log: Pick<Logger, 'error'>): void {
  const { historyDir } = settings
  const why = historyDir === undefined || !rolesOf(settings).has('worker') ? undefined : whyNotWritable(resolve(historyDir))
  if (historyDir === undefined || why === undefined) return
  log.error(
    `HISTORY_DIR ${resolve(historyDir)} cannot be written (${why}), and old readings stay in PostgreSQL until it can. Give this user the right to write there, mount it for writing, or choose another folder with --history-dir.`,
  )
}

function whyNotWritable(folder: string): string | undefined {
  const probe = join(folder, `.probe-${process.pid}`)
  try {
    makeFolders(folder)
    writeFileSync(probe, '')
    rmSync(probe)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'EEXIST' || code === 'ENOTDIR' ? 'it, or a folder above it, is a file' : String(code)
  }
}

/** For a first start. A database that is there may be on its way to free some. */
function checkSpace(dataDir: string): string[] {
  if (existsSync(join(dataDir, 'postgres'))) return []
  const { bavail, bsize } = statfsSync(dataDir)
  const freeBytes = bavail * bsize
  if (freeBytes >= FIRST_START_BYTES) return []
  return [
    `DATA_DIR ${dataDir} is on a disk with ${Math.floor(freeBytes / MIB)} MiB free, and a first start needs ${FIRST_START_BYTES / MIB} MiB. Free some, choose another folder with --data-dir, or use a database of your own with DATABASE_URL.`,
  ]
}

/** Level by level: Node's own recursive mkdir never returns below a file system that answers ENOENT for a new name, such as /proc. */
function makeFolders(path: string): void {
  const missing: string[] = []
  for (let at = path; !existsSync(at); at = dirname(at)) missing.push(at)
  for (const folder of missing.reverse()) mkdirSync(folder)
}

function checkMapFiles(settings: PlatformSettings): string[] {
  return mapFilesOf(settings).flatMap(({ name, path }) => {
    const file = join(settings.dataDir, 'map', path)
    try {
      accessSync(file, constants.R_OK)
      return statSync(file).isFile() ? [] : [`${name} leads to ${file}, which is a folder. Name a file.`]
    } catch (error) {
      return [`${name} leads to ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}). Put the file there.`]
    }
  })
}

async function checkPorts(settings: PlatformSettings): Promise<string[]> {
  // The database's port may be held by our own server of a killed service, which its start stops; it speaks for itself.
  const ports = listenPorts(settings).filter(({ name }) => name !== 'DATABASE_PORT')
  const problems = await Promise.all(ports.map(checkPort))
  // An address that is not of this machine is one problem, however many ports there are.
  return [...new Set(problems.filter((problem) => problem !== undefined))]
}

async function checkPort({ name, host, port }: { name: string; host: string; port: number }): Promise<string | undefined> {
  let code = await tryListen(host, port)
  for (let waitedMs = 0; code === 'EADDRINUSE' && waitedMs < PORT_WAIT_MS; waitedMs += PORT_POLL_MS) {
    await sleep(PORT_POLL_MS)
    code = await tryListen(host, port)
  }
  return code === undefined ? undefined : explainListenFailure(code, name, host, port)
}

/** One line for a listen that failed, here or later in a race. */
export function explainListenFailure(code: string, name: string, host: string, port: number): string {
  const flag = `--${name.toLowerCase().replaceAll('_', '-')}`
  if (code === 'EADDRINUSE') {
    return `${name} ${port} is in use. Stop what uses it, or choose another with ${flag} (0 picks a free one).`
  }
  if (code === 'EACCES') return `${name} ${port} is not allowed for this user. Choose one above 1023 with ${flag}.`
  const hostName = name === 'METRICS_PORT' ? 'METRICS_HOST' : 'HOST'
  return `${hostName} ${host} cannot be listened on (${code}). Give an address of this machine.`
}

function tryListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
