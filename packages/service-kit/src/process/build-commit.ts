// Which commit runs: what the build of an image wrote down, or what is checked out.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../../../..')
/** Of SHA-1, or of SHA-256 in repositories that have it. */
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** In hexadecimal digits, or `unknown`: sources without a repository, as of an archive. */
export function readBuildCommit(root: string = ROOT): string {
  const commit = readTrimmed(join(root, 'COMMIT')) ?? readCheckedOut(join(root, '.git'))
  return commit !== undefined && COMMIT.test(commit) ? commit : 'unknown'
}

/** As gitrepository-layout(5) describes: a branch has a file of its own, or after `git gc` a line among others. */
function readCheckedOut(repository: string): string | undefined {
  const head = readTrimmed(join(repository, 'HEAD'))
  const branch = head?.startsWith('ref: ') === true ? head.slice('ref: '.length) : undefined
  if (branch === undefined) return head
  const packed = readTrimmed(join(repository, 'packed-refs'))?.split('\n') ?? []
  return readTrimmed(join(repository, branch)) ?? packed.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0]
}

function readTrimmed(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return text === '' ? undefined : text
  } catch {
    // Which of these there are is how the sources came here, and no fault of any.
    return undefined
  }
}
