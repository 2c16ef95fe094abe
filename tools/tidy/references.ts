// What the documents and comments point at exists.

import path from 'node:path'
import type { Finding, Repository } from './repository.ts'

const LINK = /\]\((?!https?:|mailto:|#)([^)\s#]+)/g
/** `pipeline.ts`, `ingest/inbound.ts`: a file by the end of its path. Names with a placeholder in them are patterns, not files. */
const PLACEHOLDER = /NNNN/
const FILE_NAME = /`([\w./-]+\.(?:tsx?|js|sql|md))`/g

export function checkReferences(repository: Repository): Finding[] {
  return [...checkLinks(repository), ...checkFileNames(repository), ...checkReadmes(repository)]
}

function pages(repository: Repository): { path: string; lines: string[] }[] {
  return [...repository.texts].flatMap(([file, text]) => (file.endsWith('.md') ? [{ path: file, lines: text.split('\n') }] : []))
}

function checkLinks(repository: Repository): Finding[] {
  const folders = new Set([...repository.texts.keys()].flatMap((file) => foldersOf(file)))
  return pages(repository).flatMap(({ path: page, lines }) =>
    lines.flatMap((line, i) =>
      [...line.matchAll(LINK)].flatMap(([, link = '']) => {
        const target = path.posix.join(path.posix.dirname(page), link).replace(/\/$/, '')
        if (repository.texts.has(target) || repository.otherFiles.has(target) || folders.has(target)) return []
        return [{ path: page, line: i + 1, message: `links to ${link}, which does not exist` }]
      }),
    ),
  )
}

function foldersOf(file: string): string[] {
  const folder = path.posix.dirname(file)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

function checkFileNames(repository: Repository): Finding[] {
  const files = [...repository.texts.keys()]
  return pages(repository).flatMap(({ path: page, lines }) =>
    lines.flatMap((line, i) =>
      [...line.matchAll(FILE_NAME)].flatMap(([, name = '']) => {
        const isThere = files.some((file) => file === name || file.endsWith(`/${name.replace(/^\.\//, '')}`))
        return isThere || PLACEHOLDER.test(name) ? [] : [{ path: page, line: i + 1, message: `names ${name}, which does not exist` }]
      }),
    ),
  )
}

/** A comment that sends its reader to a read-me file means the one in its own folder, or one above. */
function checkReadmes(repository: Repository): Finding[] {
  return [...repository.sources.values()].flatMap(({ path: file, tokens }) => {
    const isThere = foldersOf(file).some((folder) => repository.texts.has(`${folder}/README.md`))
    const mentions = tokens.filter(({ kind, text }) => kind === 'comment' && /\bREADME\.md\b/.test(text))
    return isThere ? [] : mentions.map(({ line }) => ({ path: file, line, message: 'points at a README.md that does not exist' }))
  })
}
