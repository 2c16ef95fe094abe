// Names without a meaning. If a name needs one of these words, the thing has not been understood.

import path from 'node:path'
import { type Finding, isTest, type Repository } from './repository.ts'
import { declaredNames, type Source } from './source.ts'

const EMPTY_WORDS = ['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'misc', 'data', 'info']
const EMPTY_LAST_WORDS = new Set([...EMPTY_WORDS, 'handler', 'handlers'])
/** The contract's own words: what carries such a key of the wire is called by it. */
const WIRE_WORDS = new Set(['sensor data'])
const KEBAB_CASE = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/

export function checkNames(repository: Repository): Finding[] {
  return [...repository.sources.values()].flatMap((source) => [...checkFileName(source), ...checkDeclaredNames(source)])
}

function checkFileName({ path: file, text }: Source): Finding[] {
  const name = path.posix.basename(file)
  const findings: Finding[] = []
  if (!KEBAB_CASE.test(name)) findings.push({ path: file, line: 1, message: 'files are named in kebab-case' })
  const stem = name.split('.')[0] ?? ''
  const folders = path.posix.dirname(file).split('/')
  const empty =
    [stem.split('-').at(-1) ?? '', ...folders].find((word) => isEmptyLastWord(word, text)) ?? (stem === 'process' ? stem : undefined)
  if (empty !== undefined) findings.push({ path: file, line: 1, message: `"${empty}" does not name what the file holds` })
  return findings
}

function checkDeclaredNames({ path: file, code, text }: Source): Finding[] {
  if (isTest(file)) return []
  return declaredNames(code).flatMap(({ keyword, name, line }) => {
    const words = wordsOf(name)
    const last = words.at(-1) ?? ''
    const isService = keyword === 'class' && last === 'service'
    // As a verb it means nothing; in a file about processes of the operating system it is the noun.
    const isProcess = keyword === 'function' && words[0] === 'process' && !path.posix.basename(file).includes('process')
    const isEmpty = isEmptyLastWord(last, text) && !WIRE_WORDS.has(words.slice(-2).join(' '))
    if (!isEmpty && !isService && !isProcess) return []
    return [{ path: file, line, message: `${name}: "${isProcess ? 'process' : last}" does not name what it is or does` }]
  })
}

/** `handler` is the word of HTTP, and may be used where HTTP is spoken. */
function isEmptyLastWord(word: string, text: string): boolean {
  if (/^handlers?$/.test(word) && /from '(@fastify\/[\w-]+|fastify|@roadworthy\/service-kit\/http\/http)'/.test(text)) return false
  return EMPTY_LAST_WORDS.has(word)
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]+/)
}
