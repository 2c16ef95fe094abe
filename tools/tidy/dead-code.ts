// Files that nothing reaches, and exports that nothing imports.

import path from 'node:path'
import { type Finding, isTest, type Repository, resolveImport } from './repository.ts'
import type { Export, Source } from './source.ts'

/** Run by name: one small main per role, what package.json and the pipeline call, and what a browser loads by its address. */
const MAIN_FILE = /^(services|apps)\/[^/]+\/src\/main(\/[^/]+)?\.ts$|^bench\/|^apps\/[^/]+\/public\/|\.config\.(ts|js)$/

/** Test suites whose parts are files of their own. */
const TEST_SUITE = /^tools\/tidy\//

export function checkDeadCode(repository: Repository): Finding[] {
  return [...checkFiles(repository), ...checkExports(repository)]
}

function checkFiles(repository: Repository): Finding[] {
  const named = filesNamedOutsideImports(repository)
  const importedBy = new Map<string, string[]>()
  for (const source of repository.sources.values()) {
    for (const { specifier } of source.imports) {
      const target = resolveImport(repository, source.path, specifier)
      if (target !== undefined && target !== source.path) importedBy.set(target, [...(importedBy.get(target) ?? []), source.path])
    }
  }
  const findings: Finding[] = []
  for (const { path: file } of repository.sources.values()) {
    const isStart = /\.test\.tsx?$/.test(file) || MAIN_FILE.test(file) || named.has(file) || isPublished(repository, file)
    if (isStart) continue
    const importers = importedBy.get(file) ?? []
    if (importers.length === 0) findings.push({ path: file, line: 1, message: 'nothing imports or runs this file' })
    else if (importers.every(isTest) && !isTest(file) && !TEST_SUITE.test(file))
      findings.push({ path: file, line: 1, message: 'only tests import this file' })
  }
  return findings
}

/** Files that a script, a `bin` entry or a string in some other file names, as in `new Worker(new URL('./work.ts', import.meta.url))`. */
function filesNamedOutsideImports(repository: Repository): Set<string> {
  const named = new Set<string>()
  for (const [folder, { scripts = {}, bin = {} }] of repository.manifests) {
    const words = [...Object.values(scripts).flatMap((script) => script.split(/\s+/)), ...Object.values(bin)]
    for (const word of words) named.add(path.posix.join(folder, word))
  }
  for (const [file, text] of repository.texts) {
    if (/^(\.ci\/|compose|deploy\/)|Dockerfile$/.test(file)) for (const [word] of text.matchAll(/[\w./-]+\.(ts|js)\b/g)) named.add(word)
  }
  for (const source of repository.sources.values()) {
    const specifiers = new Set(source.imports.map(({ specifier }) => specifier))
    for (const { kind, text } of source.code) {
      if (kind !== 'string' || !/\.(ts|tsx|js)$/.test(text) || specifiers.has(text)) continue
      named.add(path.posix.join(path.posix.dirname(source.path), text))
      named.add(text)
    }
  }
  return named
}

/** A package that is not private is used by people we cannot see. */
function isPublished(repository: Repository, file: string): boolean {
  for (const [folder, manifest] of repository.manifests) {
    if (folder !== '.' && file.startsWith(`${folder}/`)) return manifest.private !== true
  }
  return false
}

function checkExports(repository: Repository): Finding[] {
  const used = new Map<string, Set<string>>()
  for (const source of repository.sources.values()) {
    for (const { specifier, names } of source.imports) {
      const target = resolveImport(repository, source.path, specifier)
      if (target === undefined) continue
      const known = used.get(target) ?? new Set()
      for (const name of names) known.add(name)
      used.set(target, known)
    }
  }
  const findings: Finding[] = []
  for (const source of repository.sources.values()) {
    const { path: file } = source
    if (isPublished(repository, file) || /\.config\.(ts|js)$/.test(file)) continue
    const names = used.get(file) ?? new Set()
    if (names.has('*')) continue
    for (const each of mergeByName(source.exports)) {
      if (names.has(each.name) || (each.kind === 'type' && isUsedInside(source, each.name))) continue
      const message = `exports ${each.name}, which nothing imports${isUsedInside(source, each.name) ? '; drop the export' : ''}`
      findings.push({ path: file, line: each.line, message })
    }
  }
  return findings
}

/** A schema and the type of its name count as one, and as a type: exporting a type that an exported signature names is no mistake. */
function mergeByName(exports: readonly Export[]): Export[] {
  const byName = new Map<string, Export>()
  for (const each of exports) {
    const other = byName.get(each.name)
    if (other === undefined || each.kind === 'type') byName.set(each.name, { ...each, line: other?.line ?? each.line })
  }
  return [...byName.values()]
}

function isUsedInside({ code }: Source, name: string): boolean {
  const isDeclaredAt = (i: number) => ['type', 'interface', 'const', 'let', 'function', 'class'].includes(code[i - 1]?.text ?? '')
  return code.some(({ kind, text }, i) => kind === 'word' && text === name && code[i - 1]?.text !== '.' && !isDeclaredAt(i))
}
