// What a command that looks at an installation found: one line each, and for what is not right why it matters and what to do.

import { coloured } from './output.ts'

export type Finding = {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'wrong' | 'skipped'
  /** What was found. */
  readonly detail: string
  readonly why?: string
  readonly fix?: string
}

export const okay = (name: string, detail: string): Finding => ({ name, status: 'ok', detail })
export const skip = (name: string, detail: string): Finding => ({ name, status: 'skipped', detail })

type Judged = { readonly detail: string; readonly why: string; readonly fix: string }
export const warning = (name: string, judged: Judged): Finding => ({ name, status: 'warning', ...judged })
export const wrong = (name: string, judged: Judged): Finding => ({ name, status: 'wrong', ...judged })

const COLUMN = 18

export function toLines({ name, status, detail, why, fix }: Finding): string {
  const marks = {
    ok: ['green', 'ok     '],
    warning: ['yellow', 'warning'],
    wrong: ['red', 'WRONG  '],
    skipped: ['dim', 'skip   '],
  } as const
  const [colour, mark] = marks[status]
  const further = [why === undefined ? [] : `why: ${why}`, fix === undefined ? [] : `do:  ${fix}`].flat()
  const indent = ' '.repeat(mark.length + COLUMN + 2)
  return [`${coloured(colour, mark)} ${name.padEnd(COLUMN)} ${detail}`, ...further.map((line) => `${indent}${line}`)].join('\n')
}

export function namesOf(findings: readonly Finding[], status: Finding['status']): string[] {
  return findings.filter((finding) => finding.status === status).map(({ name }) => name)
}
