// A process id alone does not name a process: ids are reused, in containers within seconds. Id and start time together do.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const PS_TIMEOUT_MS = 3000

/** Something that changes when the id is reused, or `undefined` when no such process lives. A zombie counts as gone. */
export function processStartToken(pid: number): string | undefined {
  if (process.platform !== 'linux') return readPs(pid, 'lstart=')
  const fields = readStatFields(pid)
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined
  // proc(5): starttime is field 22; the fields here begin at field 3, after the command's closing parenthesis.
  return fields[19]
}

export function isAlive(pid: number): boolean {
  return processStartToken(pid) !== undefined
}

/**
 * Whether the process is a PostgreSQL postmaster started here for this data folder. Judged by its command line, which everyone may
 * read; its working folder needs ptrace rights that root lacks inside a container.
 */
export function isPostmasterOf(pid: number, clusterPath: string): boolean {
  const command = process.platform === 'linux' ? readCommandLine(pid) : readPs(pid, 'command=')
  return command !== undefined && /(^|\/)postgres(\.exe)?\s/.test(command) && command.includes(`-D ${clusterPath}`)
}

function readCommandLine(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return undefined
  }
}

function readStatFields(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

function readPs(pid: number, column: string): string | undefined {
  const { status, stdout } = spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8', timeout: PS_TIMEOUT_MS })
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined
}
