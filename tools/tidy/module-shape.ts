// What a file may not hold: barrels, default exports, enums, and notes to oneself that nobody will find again.

import path from 'node:path'
import type { Finding, Repository } from './repository.ts'
import type { Source } from './source.ts'

const NOTE = /\b(TODO|FIXME|XXX|HACK)\b(?!\(#\d+\))/

/** Tools that are configured by a file insist on a default export there. */
const CONFIGURATION = /(^|\/)[\w-]+\.config\.(ts|js)$/

export function checkModuleShape(repository: Repository): Finding[] {
  return [...repository.sources.values()].flatMap((source) => [
    ...(isEntry(repository, source.path) ? [] : checkBarrel(source)),
    ...checkExports(source),
    ...checkEnums(source),
    ...checkNotes(source),
  ])
}

/** What a published package exports is the one file that passes on others: nobody outside can name those. */
function isEntry(repository: Repository, file: string): boolean {
  return [...repository.manifests].some(([folder, { private: isPrivate, exports, name }]) => {
    const entry = (exports as Record<string, { default?: string } | undefined> | undefined)?.['.']?.default
    if (isPrivate === true || name === undefined || entry === undefined) return false
    return file === path.posix.join(folder, entry.replace('/dist/', '/src/').replace(/\.js$/, '.ts'))
  })
}

function checkBarrel({ path: file, imports }: Source): Finding[] {
  const findings: Finding[] = []
  if (/^index\.(ts|tsx|js)$/.test(path.posix.basename(file))) {
    findings.push({ path: file, line: 1, message: 'a file is named after what it holds, and imports name the file: no index files' })
  }
  for (const { isReExport, specifier, line } of imports) {
    if (isReExport && /^(\.|@roadworthy\/)/.test(specifier))
      findings.push({ path: file, line, message: `passes on ${specifier}; import it from where it is` })
  }
  return findings
}

function checkExports({ path: file, exports }: Source): Finding[] {
  if (CONFIGURATION.test(file)) return []
  const defaults = exports.filter(({ name }) => name === 'default')
  return defaults.map(({ line }) => ({ path: file, line, message: 'exports a default; give it a name' }))
}

function checkEnums({ path: file, code }: Source): Finding[] {
  const isEnum = (i: number) => code[i]?.text === 'enum' && code[i + 1]?.kind === 'word' && code[i + 2]?.text === '{'
  return code.flatMap(({ line }, i) =>
    isEnum(i) ? [{ path: file, line, message: 'declares an enum; closed lists are `as const` arrays' }] : [],
  )
}

function checkNotes({ path: file, tokens }: Source): Finding[] {
  const notes = tokens.filter(({ kind, text }) => kind === 'comment' && NOTE.test(text))
  return notes.map(({ line }) => ({ path: file, line, message: 'a note needs an issue number, as in TODO(#12), or to be done' }))
}
