// What the client in Python is tested with, in the versions of its requirements-test.txt: a virtual environment, and the wheels that it was made from, by which
// the built client is installed without a network. In a cache outside the repository; where there is no Python 3.10 or newer, or no registry, the test skips.
// `.ci/run` runs this file to fill the cache.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

export type PythonTools = { readonly python: string; readonly wheels: string }

const REQUIREMENTS = join(import.meta.dirname, '../../clients/python/requirements-test.txt')
const IS_NEW_ENOUGH = 'import sys; sys.exit(sys.version_info < (3, 10))'
const INSTALL_BOUND_MS = 300_000

export const defaultCache = (caches: string | undefined) => join(caches ?? join(homedir(), '.cache'), 'roadworthy/python-client')

/** The tools, made where they are missing or were made for other versions; else the reason why they are not to be had. */
export function preparePythonTools(folder: string): PythonTools | string {
  const tools = { python: join(folder, 'venv/bin/python'), wheels: join(folder, 'wheels') }
  const installed = join(folder, 'installed.txt')
  const wanted = readFileSync(REQUIREMENTS, 'utf8')
  if (existsSync(tools.python) && existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return tools
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe', timeout: INSTALL_BOUND_MS })
  try {
    run('python3', '-c', IS_NEW_ENOUGH)
  } catch {
    return 'there is no python3 of 3.10 or newer'
  }
  try {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(tools.wheels, { recursive: true })
    run('python3', '-m', 'venv', join(folder, 'venv'))
    run(tools.python, '-m', 'pip', 'download', '--quiet', '--only-binary', ':all:', '--dest', tools.wheels, '--requirement', REQUIREMENTS)
    run(tools.python, '-m', 'pip', 'install', '--quiet', '--no-index', '--find-links', tools.wheels, '--requirement', REQUIREMENTS)
  } catch (error) {
    // Half of them would not skip.
    rmSync(folder, { recursive: true, force: true })
    return `the packages of requirements-test.txt are not to be had (${lastLine(error)})`
  }
  writeFileSync(installed, wanted)
  return tools
}

function lastLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: Buffer; message: string }
  return (stderr?.toString().trim() || message).split('\n').at(-1) ?? ''
}

const [, script, cache] = process.argv
if (script !== undefined && import.meta.url === pathToFileURL(resolve(script)).href) {
  if (cache === undefined) throw new Error('name the folder of the cache')
  const found = preparePythonTools(cache)
  console.log(typeof found === 'string' ? `not to be had: ${found}` : 'present: what the client in Python is tested with')
}
