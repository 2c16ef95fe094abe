// For tests: the blocks of a guide, run as a reader would type them.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { BIN } from '../support/command-line.ts'
import { node, type OwnInstance } from './own-instance.ts'
import { ROOT } from './running-service.ts'

const SHELL_TIMEOUT_MS = 120_000

/** The blocks of a language in `docs/guides/<name>`, in their order. */
export function blocksOf(name: string, language: string): string[] {
  const text = readFileSync(path.join(ROOT, 'docs/guides', name), 'utf8')
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, lines]) => lines ?? '')
}

export function keyOf(instance: OwnInstance): string {
  return (JSON.parse(readFileSync(path.join(instance.dataDir, 'credentials.json'), 'utf8')) as { api_key: string }).api_key
}

/** In the folder of the instance, with the variables that the pages share. Every command must succeed. Returns what they print. */
export async function runLines(instance: OwnInstance, lines: string): Promise<string> {
  const script = `set -e\nnpx() { case $1 in roadworthy) shift; "${node}" "${BIN}" "$@";; *) command npx "$@";; esac; }\n${lines}`
  const env = { PATH: process.env['PATH'], HOME: instance.folder, BASE_URL: instance.baseUrl, KEY: keyOf(instance) }
  const child = spawn('bash', ['-c', script], { cwd: instance.folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: SHELL_TIMEOUT_MS })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const [code] = await once(child, 'exit')
  assert.equal(code, 0, `${lines}\n${output}`)
  return output
}
