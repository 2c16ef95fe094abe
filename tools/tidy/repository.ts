// The files the rules look at, and where their imports lead.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSource, type Source } from './source.ts'

export type Finding = { readonly path: string; readonly line: number; readonly message: string }

/** Paths are relative to the root, with forward slashes. */
export type Repository = {
  readonly texts: ReadonlyMap<string, string>
  /** Pictures and the like: known to be there, not read. */
  readonly otherFiles: ReadonlySet<string>
  readonly sources: ReadonlyMap<string, Source>
  readonly manifests: ReadonlyMap<string, Manifest>
}

export type Manifest = {
  readonly name?: string
  readonly private?: boolean
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: unknown
  readonly scripts?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

const SKIPPED_FOLDERS = new Set(['node_modules', '.git', '.data', '.install-lock', 'dist'])
/** Of a build under way (`tools/setup/ensure-built.js`), beside which the checks may run. */
const BUILD_UNDER_WAY = /^dist-\d+$/
const SKIPPED_AT_ROOT = new Set(['tmp', 'bench/results'])
const TEXT_FILE =
  /\.(ts|tsx|js|json|md|sql|yaml|yml|html|css|sh|example|svg|toml|py)$|(^|\/)(Dockerfile|LICENSE|\.gitignore|\.npmrc)$|^\.ci\//
const SOURCE_FILE = /(?<!\.d)\.(ts|tsx|js)$/

export function readRepository(root: string): Repository {
  const files: Record<string, string> = {}
  const otherFiles: string[] = []
  const visit = (folder: string): void => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        const isSkipped = SKIPPED_FOLDERS.has(entry.name) || BUILD_UNDER_WAY.test(entry.name) || SKIPPED_AT_ROOT.has(name)
        if (!isSkipped && !existsSync(path.join(root, name, '.git'))) visit(name)
      } else if (TEXT_FILE.test(name)) files[name] = readFileSync(path.join(root, name), 'utf8')
      else otherFiles.push(name)
    }
  }
  visit('')
  return repositoryOf(files, otherFiles)
}

export function repositoryOf(files: Readonly<Record<string, string>>, otherFiles: readonly string[] = []): Repository {
  const entries = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))
  const sources = entries.filter(([name]) => SOURCE_FILE.test(name)).map(([name, text]) => [name, parseSource(name, text)] as const)
  const manifests = entries
    .filter(([name]) => path.posix.basename(name) === 'package.json')
    .map(([name, text]) => [path.posix.dirname(name), JSON.parse(text) as Manifest] as const)
  return { texts: new Map(entries), otherFiles: new Set(otherFiles), sources: new Map(sources), manifests: new Map(manifests) }
}

/** The file of the repository that an import leads to; undefined for packages from elsewhere and for what is missing. */
export function resolveImport(repository: Repository, from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) {
    const target = path.posix.join(path.posix.dirname(from), specifier)
    return repository.texts.has(target) ? target : undefined
  }
  for (const [folder, { name, exports }] of repository.manifests) {
    if (name === undefined || !specifier.startsWith(`${name}/`)) continue
    const pattern = (exports as Record<string, unknown> | undefined)?.['./*']
    if (typeof pattern !== 'string') continue
    const target = path.posix.join(folder, pattern.replace('*', specifier.slice(name.length + 1)))
    return repository.texts.has(target) ? target : undefined
  }
  return undefined
}

/** The name a package is installed under, or undefined for files and for Node's own modules. */
export function packageName(specifier: string): string | undefined {
  if (/^(\.|node:|#|\/|data:|https?:)/.test(specifier)) return undefined
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

/** Tests, and what is there for tests only. */
export function isTest(file: string): boolean {
  return /\.test\.tsx?$|(^|\/)(test|testing)-[^/]+\.ts$|\/(testing|fixtures)\/|^(test|bench)\//.test(file)
}
