// The client as a stranger gets it: packed by npm, and installed without a network in a project that knows nothing of this repository.

import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const ROOT = join(import.meta.dirname, '../..')
const TIMEOUT_MS = 600_000

export type PackedClient = {
  readonly folder: string
  /** Paths within the package. */
  readonly files: readonly string[]
  write(name: string, text: string): string
  /** What the program printed. It must end with 0. */
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>
}

export function packClient(t: { after(cleanUp: () => void): void }): PackedClient {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-client-'))
  chmodSync(folder, 0o755)
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const options = { cwd: folder, encoding: 'utf8', timeout: TIMEOUT_MS } as const
  const npm = (...args: string[]) => execFileSync('npm', args, { ...options, stdio: 'pipe' })
  const write: PackedClient['write'] = (name, text) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const packed = npm('pack', join(ROOT, 'packages/client'), '--json', '--silent', '--offline')
  const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf('['))) as [{ filename: string; files: { path: string }[] }]
  write('package.json', JSON.stringify({ name: 'scratch', private: true, type: 'module' }))
  npm('install', `./${filename}`, '--offline', '--ignore-scripts', '--no-audit', '--no-fund')
  // What the project brings itself: an MQTT client, and the types of Node.
  for (const name of ['mqtt', '@types']) symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  return {
    ...{ folder, write },
    files: files.map(({ path }) => path),
    run: async (command, args, env) => (await promisify(execFile)(command, args, { ...options, env: { ...process.env, ...env } })).stdout,
  }
}

/** The TypeScript of a page, block by block. */
export function codeBlocks(page: string): string[] {
  return [...readFileSync(join(ROOT, page), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
}

export const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
