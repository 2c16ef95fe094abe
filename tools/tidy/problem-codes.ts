// Every way a request can be refused is explained to the person who gets the refusal.

import type { Finding, Repository } from './repository.ts'

export const PROBLEM_FILE = 'packages/service-kit/src/http/problem.ts'
export const ERRORS_PAGE = 'docs/errors.md'

export function checkProblemCodes(repository: Repository): Finding[] {
  const codes = problemCodes(repository)
  const page = repository.texts.get(ERRORS_PAGE) ?? ''
  const explained = new Set([...page.matchAll(/^#{2,4} `(\w+)`/gm)].map(([, code = '']) => code))
  const missing = [...codes].filter(([code]) => !explained.has(code))
  const stale = [...explained].filter((code) => !codes.has(code))
  return [
    ...missing.map(([code, line]) => ({ path: PROBLEM_FILE, line, message: `${code} has no heading in ${ERRORS_PAGE}` })),
    ...stale.map((code) => ({ path: ERRORS_PAGE, line: 1, message: `${code} is explained, but no such problem code exists` })),
  ]
}

function problemCodes(repository: Repository): Map<string, number> {
  const code = repository.sources.get(PROBLEM_FILE)?.code ?? []
  const start = code.findIndex(({ text }) => text === 'problemCodes')
  const end = code.findIndex(({ text }, i) => i > start && text === ']')
  return new Map(code.slice(start, end).flatMap(({ kind, text, line }) => (kind === 'string' ? [[text, line]] : [])))
}
