// The seed of what tests choose by chance.

import { spawnSync } from 'node:child_process'

/** Of what is committed, so that a run can be repeated and each commit tries other cases; 1 where there is no repository. */
export function fuzzSeed(root: string): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: root, encoding: 'utf8' })
  // fast-check takes 32 bits with a sign.
  return status === 0 ? String(Number.parseInt(stdout.slice(0, 7), 16)) : '1'
}
