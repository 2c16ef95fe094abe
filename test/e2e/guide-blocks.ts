// For tests: the blocks of a guide, run as a reader would type them.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
export function runLines(instance: OwnInstance, lines: string): Promise<string> {
  return runIn(instance.folder, lines, { BASE_URL: instance.baseUrl, KEY: keyOf(instance) })
}

/** Where no instance runs yet. What is started with `&` has the process id that `$!` names. */
export async function runIn(folder: string, lines: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = { PATH: `${programsFor(folder)}:${process.env['PATH']}`, HOME: folder, ...variables }
  const child = spawn('bash', ['-c', `set -e\n${lines}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: SHELL_TIMEOUT_MS,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const [code] = await once(child, 'exit')
  assert.equal(code, 0, `${lines}\n${output}`)
  return output
}

/** A folder with an `npx` that runs the command line of this checkout, and everything else as it would. */
function programsFor(folder: string): string {
  const programs = path.join(folder, '.programs')
  mkdirSync(programs, { recursive: true })
  const own = `[ "$1" = roadworthy ] && shift && exec "${node}" "${BIN}" "$@"`
  writeFileSync(path.join(programs, 'npx'), `#!/bin/sh\n${own}\nPATH=\${PATH#*:}\nexec npx "$@"\n`, { mode: 0o755 })
  return programs
}
