// Words of this project's own that a stranger has to guess at, where the field has a term. The table is short: each of them was in the code once.

import type { Finding, Repository } from './repository.ts'

const PLAIN: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bspeakers?\b/i, 'sender or device'],
  [/\bbrokers? of (others|our own|your own)\b/i, 'external broker, or embedded broker'],
  [/\bin one go\b/i, 'pipelined, in one round trip or in one transaction'],
  [/\bhesitant\b/i, 'degraded'],
  [/\blanes\b/i, 'concurrent commits'],
  [/\bnow and then\b|\bafterwards(?=\(|: \()/i, 'periodic, or background task'],
  [/\b(MQTT|REST|stream|HTTP)[ -]doors?\b/i, 'receiver'],
]
/** Where people read another language, what was written once and never changes, and this table. */
const LEFT_OUT = /\/languages\/|\/migrations\/|^docs\/adr\/|^tools\/tidy\/plain-words|^package-lock\.json$/

export function checkPlainWords(repository: Repository): Finding[] {
  const findings: Finding[] = []
  for (const [path, text] of repository.texts) {
    if (LEFT_OUT.test(path)) continue
    for (const [i, line] of text.split('\n').entries()) {
      for (const [pattern, instead] of PLAIN) {
        const word = pattern.exec(line)?.[0]
        if (word !== undefined) findings.push({ path, line: i + 1, message: `says "${word}"; write ${instead}` })
      }
    }
  }
  return findings
}
