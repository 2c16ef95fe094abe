// Words of this project's own that a stranger has to guess at, where the field has a term. The table is short: each of them was in the code once.

import type { Finding, Repository } from './repository.ts'

/** Local variables of these files have the word as their name; they are renamed with the next change of the code around them. */
const NAMED_TOLD =
  /^services\/platform\/src\/(readings\/(wire-reading|routes\.platform-v1)|ingest\/(gateways\.db\.test|receivers\/(kafka\/take-batch\.test|mqtt-external\/broker-receiver\.db\.test)))\.ts$/

const PLAIN: readonly (readonly [pattern: RegExp, instead: string, except?: RegExp])[] = [
  [/\bspeakers?\b/i, 'sender or device'],
  [/\bbrokers? of (others|our own|your own)\b/i, 'external broker, or embedded broker'],
  [/\bin one go\b/i, 'pipelined, in one round trip or in one transaction'],
  [/\bhesitant\b/i, 'degraded'],
  [/\blanes\b/i, 'concurrent commits'],
  [/\bnow and then\b|\bafterwards(?=\(|: \()/i, 'periodic, or background task'],
  [
    /\b(told|tell|tells) (\w+ ){0,3}apart\b|\b(can|cannot|could not|can not) be told\b/i,
    'distinguish, detect, or "returns the same 404 as a missing one"',
  ],
  [/\b(told|tell|tells) (\w+ ){0,2}from (a |what is )?(missing|not)/i, '"returns the same 404 as a missing one"'],
  [/\b(told|tells?|telling)\b/i, 'publish, notify, report, return, send or show', NAMED_TOLD],
  [/\bin the (audit )?log or not there\b/i, 'are committed in one transaction'],
  [/\b(MQTT|REST|stream|HTTP)[ -]doors?\b/i, 'receiver'],
]
/** Where people read another language, what was written once and never changes, results, and this table. */
const LEFT_OUT = /\/languages\/|\/migrations\/|\.(jsonl|csv)$|^tools\/tidy\/plain-words|^package-lock\.json$/

export function checkPlainWords(repository: Repository): Finding[] {
  const findings: Finding[] = []
  for (const [path, text] of repository.texts) {
    if (LEFT_OUT.test(path)) continue
    for (const [i, line] of text.split('\n').entries()) {
      for (const [pattern, instead, except] of PLAIN) {
        if (except?.test(path)) continue
        const word = pattern.exec(line)?.[0]
        if (word !== undefined) findings.push({ path, line: i + 1, message: `contains "${word}"; write ${instead}` })
      }
    }
  }
  return findings
}
