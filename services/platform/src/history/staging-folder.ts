// Where a process keeps what it is downloading or writing. Each has a folder of its own, by whose name others know whether it lives: what a process that was
// killed has left is removed by the next that begins.

import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { processStartToken } from '@roadworthy/service-kit/process/process-identity'

/** The folder is made by who writes to it. On a disk of this machine alone: processes of others are not known here. */
export async function openStagingFolder(root: string): Promise<string> {
  for (const name of await namesIn(root)) {
    if (!isOfLivingProcess(name)) await rm(path.join(root, name), { recursive: true, force: true })
  }
  return path.join(root, nameOf(process.pid))
}

function nameOf(pid: number): string {
  return `${pid}-${encodeURIComponent(processStartToken(pid) ?? 'unknown')}`
}

function isOfLivingProcess(name: string): boolean {
  const pid = /^(\d+)-/.exec(name)?.[1]
  return pid !== undefined && processStartToken(Number(pid)) !== undefined && name === nameOf(Number(pid))
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
