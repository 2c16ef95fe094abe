// For tests: the blocks of a guide, run as a reader would type them, and what it shows as their answers.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BIN } from '../support/command-line.ts'
import { node, type OwnInstance } from './own-instance.ts'
import { ROOT } from './running-service.ts'

const SHELL_TIMEOUT_MS = 900_000
/** Those that are left in the background, however the shell ends. */
const STOP_PROGRAMS = `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT`
/** Before what a step prints. */
const MARK = '== step '

/** The blocks of a language in `docs/guides/<name>`, in their order. */
export function blocksOf(name: string, language: string): string[] {
  const text = readFileSync(path.join(ROOT, 'docs/guides', name), 'utf8')
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, lines]) => lines ?? '')
}

/** Programs for `npx`, and packages that blocks import: our client as it is published, and a client of MQTT. */
export function installPackages({ folder }: OwnInstance): void {
  const packages = path.join(folder, 'node_modules')
  const [source, client] = [path.join(ROOT, 'packages/client'), path.join(packages, '@roadworthy/client')]
  mkdirSync(client, { recursive: true })
  for (const name of ['.bin', 'mqtt']) symlinkSync(path.join(ROOT, 'node_modules', name), path.join(packages, name))
  copyFileSync(path.join(source, 'package.json'), path.join(client, 'package.json'))
  execFileSync(process.execPath, [path.join(source, 'build.js'), path.join(client, 'dist')])
}

export type Step = {
  readonly lines: string
  /** The block of text that follows it directly, where there is one: what it prints. */
  readonly shown: string | undefined
}

/** The shell blocks of `docs/guides/<name>` with their answers. */
export function stepsOf(name: string): Step[] {
  const text = readFileSync(path.join(ROOT, 'docs/guides', name), 'utf8')
  const found = text.matchAll(/```sh\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g)
  return [...found].map(([, lines = '', shown]) => ({ lines, shown }))
}

/** All of them in one shell, as a reader has one. What a step prints must be what the guide shows; `…` stands for any text. Returns what each printed. */
export async function runSteps(instance: OwnInstance, steps: readonly Step[]): Promise<string[]> {
  const marked = steps.map(({ lines }, index) => `printf '\\n%s\\n' '${MARK}${index}'\n${lines}`)
  const output = await runLines(
    instance,
    `exec 2>&1\n${STOP_PROGRAMS}\nPATH="${path.dirname(process.execPath)}:$PATH"\n${marked.join('\n')}`,
  )
  const printed = output
    .replaceAll('\r\n', '\n')
    .split(new RegExp(`^${MARK}\\d+\\n`, 'm'))
    .slice(1)
    .map((each) => each.trim())
  assert.equal(printed.length, steps.length, output)
  for (const [index, step] of steps.entries()) assertShown(step, printed[index] ?? '')
  return printed
}

/** Where the guide shows what a step prints, it is that. */
export function assertShown({ lines, shown }: Step, printed: string): void {
  if (shown !== undefined) assert.match(printed.trim(), patternOf(shown), lines)
}

function patternOf(shown: string): RegExp {
  const literal = shown
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literal.join('[\\s\\S]*?')}$`)
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
  const { code, output } = await runShell('bash', `set -e\n${lines}`, { cwd: folder, env, timeoutMs: SHELL_TIMEOUT_MS })
  assert.equal(code, 0, `${lines}\n${output}`)
  return output
}

type ShellOptions = { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly timeoutMs: number }

/**
 * Runs it to its end. It prints into a file: of a pipe there may be more to come when the shell has ended, and programs that it leaves in the background keep
 * the pipe open.
 */
export async function runShell(shell: 'bash' | 'sh', script: string, options: ShellOptions): Promise<{ code: unknown; output: string }> {
  const { cwd, env, timeoutMs: timeout } = options
  const folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-shell-'))
  const file = path.join(folder, 'printed')
  const descriptor = openSync(file, 'a')
  try {
    const child = spawn(shell, ['-c', script], { cwd, env, stdio: ['ignore', descriptor, descriptor], timeout })
    const [code] = await once(child, 'exit')
    return { code, output: readFileSync(file, 'utf8') }
  } finally {
    closeSync(descriptor)
    rmSync(folder, { recursive: true })
  }
}

/** A folder with an `npx` that runs the command line of this checkout, and everything else as it would. */
function programsFor(folder: string): string {
  const programs = path.join(folder, '.programs')
  mkdirSync(programs, { recursive: true })
  const own = `[ "$1" = roadworthy ] && shift && exec "${node}" "${BIN}" "$@"`
  writeFileSync(path.join(programs, 'npx'), `#!/bin/sh\n${own}\nPATH=\${PATH#*:}\nexec npx "$@"\n`, { mode: 0o755 })
  return programs
}
