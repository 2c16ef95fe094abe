// The examples of the pages can be pasted one after the other: they use two variables that all pages share, and those that the page itself set before. Every
// guide has a call.

import type { Finding, Repository } from './repository.ts'

const SHELL_BLOCK = /```sh\n([\s\S]*?)```/g
const SET = /(?:^|\s)([A-Z][A-Z_]+)=/g
const VARIABLE = /\$\{?([A-Z][A-Z_]+)/g
/** Of the platform. The engine has neither keys nor a public address. */
const SHARED = ['KEY', 'BASE_URL']
const PLATFORM_ADDRESS = /curl[^\n]*(?:localhost|127\.0\.0\.1):8080/
/** What is looked up rather than followed. */
const REFERENCES = ['docs/glossary.md', 'docs/model-card.md']
const IS_GUIDE = /^docs\/(guides\/)?[^/]+\.md$/

export function checkGuides(repository: Repository): Finding[] {
  return [...repository.texts].flatMap(([path, text]) => {
    const isGuide = IS_GUIDE.test(path) && !REFERENCES.includes(path)
    if (!isGuide && path !== 'README.md') return []
    const blocks = [...text.matchAll(SHELL_BLOCK)].map((match) => ({ lines: match[1] ?? '', line: lineOf(text, match.index) }))
    if (blocks.length === 0) return [{ path, line: 1, message: 'has no call that can be pasted: a block of sh' }]
    const known = new Set(SHARED)
    return blocks.flatMap(({ lines, line }) => {
      for (const [, name = ''] of lines.matchAll(SET)) known.add(name)
      return checkBlock(lines, known).map((message) => ({ path, line, message }))
    })
  })
}

function checkBlock(block: string, known: ReadonlySet<string>): string[] {
  if (!block.includes('curl')) return []
  const others = [...block.matchAll(VARIABLE)].map(([, name = '']) => name).filter((name) => !known.has(name))
  const messages = others.map(
    (name) => `uses $${name} in a call; the pages share $KEY and $BASE_URL only, and this one sets no other before`,
  )
  return PLATFORM_ADDRESS.test(block) ? [...messages, 'calls a fixed address; write $BASE_URL'] : messages
}

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length
