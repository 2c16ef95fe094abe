// The offline check of an invoice: rates the input that is stored beside it again, and reports what differs.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { canonicalJson } from '@roadworthy/service-kit/text/canonical-json'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type RatedInvoice, rateInvoice } from './rate-invoice.ts'
import { RatingInput } from './rating-input.ts'

/** An `Invoice`, or the JSON of one. Nothing of it is trusted. */
export type StatedInvoice = Readonly<
  Record<'issuerId' | 'resellerId' | 'month' | 'timeZone' | 'from' | 'until' | 'currency', unknown> &
    Record<'lines' | 'taxes', readonly unknown[]> &
    Record<'subtotalMinor' | 'taxMinor' | 'totalMinor', unknown>
> & { readonly subClientId?: unknown }

export type Recomputation = {
  readonly isValid: boolean
  /** What differs in words, the first of it first; empty when nothing does. */
  readonly findings: readonly string[]
  /** From 1. */
  readonly firstDifferingLine: number | undefined
}

/** So many differences are named; a file of somebody else may differ in millions. */
const MAX_FINDINGS = 20
const MAX_SHOWN_LENGTH = 160

export function recomputeInvoice(input: unknown, invoice: StatedInvoice): Recomputation {
  if (!Value.Check(RatingInput, input)) return wrongForm(RatingInput, input)
  let rated: RatedInvoice
  try {
    rated = rateInvoice(input)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return refusedInput(error.message)
  }
  const { month, issuerId, customerId, currency } = input
  const head = { issuerId, customerId, month: month.label, timeZone: month.timeZone, from: month.from, until: month.until, currency }
  return compareWithRated('The invoice', rated, invoice, head, { ...invoice, customerId: invoice.subClientId ?? invoice.resellerId })
}

export function wrongForm(schema: TSchema, input: unknown): Recomputation {
  const [first] = Value.Errors(schema, input)
  const where = first === undefined ? '' : `: ${first.instancePath === '' ? 'it' : first.instancePath} ${first.message}`
  return refusedInput(`The input is not of this form${where}.`)
}

/** Of which nothing can be recomputed, and why. */
export function refusedInput(finding: string): Recomputation {
  return { isValid: false, findings: [finding], firstDifferingLine: undefined }
}

/** `head` and `statedHead`: what has to be the same beside lines, taxes and totals. */
export function compareWithRated(
  what: string,
  rated: RatedInvoice,
  invoice: StatedInvoice,
  head: object,
  statedHead: object,
): Recomputation {
  const lines = differencesOfRows('Line', rated.lines, invoice.lines)
  const { subtotalMinor, taxMinor, totalMinor } = rated
  const findings = [
    ...differencesOf(what, head, statedHead, Object.keys(head)),
    ...lines.flatMap(({ texts }) => texts),
    ...differencesOfRows('Tax', rated.taxes, invoice.taxes).flatMap(({ texts }) => texts),
    ...differencesOf(what, { subtotalMinor, taxMinor, totalMinor }, invoice, ['subtotalMinor', 'taxMinor', 'totalMinor']),
  ]
  const more = findings.length - MAX_FINDINGS
  const shown = more <= 0 ? findings : [...findings.slice(0, MAX_FINDINGS), `${more} more differ.`]
  return { isValid: findings.length === 0, findings: shown, firstDifferingLine: lines[0]?.place }
}

type RowDifference = { readonly place: number; readonly texts: readonly string[] }

function differencesOfRows(what: string, rated: readonly object[], stated: readonly unknown[]): RowDifference[] {
  const rows: RowDifference[] = []
  for (let nth = 0; nth < Math.max(rated.length, stated.length); nth++) {
    const texts = differencesOfRow(`${what} ${nth + 1}`, rated[nth], stated[nth])
    if (texts.length > 0) rows.push({ place: nth + 1, texts })
  }
  return rows
}

function differencesOfRow(what: string, rated: object | undefined, stated: unknown): string[] {
  if (rated === undefined) return [`${what} is on the invoice; nothing in the input makes it.`]
  if (stated === undefined) return [`${what} is missing on the invoice: ${show(rated)}.`]
  if (typeof stated !== 'object' || stated === null) return [`${what} is no object.`]
  return differencesOf(what, rated, stated, [...new Set([...Object.keys(rated), ...Object.keys(stated)])])
}

/** Compared as JSON, in which an absent member is left out and an instant is text. */
function differencesOf(what: string, rated: object, stated: object, keys: readonly string[]): string[] {
  return keys.flatMap((key) => {
    const [ours, theirs] = [rated, stated].map((each) => asJson((each as Record<string, unknown>)[key]))
    return ours === theirs ? [] : [`${what}: ${key} is ${cut(theirs)}, recomputed it is ${cut(ours)}.`]
  })
}

function asJson(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : canonicalJson(JSON.parse(JSON.stringify(value)))
}

function show(value: object): string {
  return cut(asJson(value))
}

function cut(text: string | undefined): string {
  if (text === undefined) return 'absent'
  return text.length <= MAX_SHOWN_LENGTH ? text : `${text.slice(0, MAX_SHOWN_LENGTH)}…`
}
