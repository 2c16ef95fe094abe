// What a wire form is to the server: a prefix, and a function from request to answer.

import type { Fault } from './faults.ts'

export type WireRequest = {
  readonly method: string
  /** Below the wire's prefix, without a leading slash. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** What is to go wrong, as far as it is up to the wire: pages and jobs. */
  readonly fault: Fault | undefined
}

export type WireAnswer = { readonly status: number; readonly body: unknown }

/** The page to answer with instead of the one that was asked for. */
export function shownPage(page: number, fault: Fault | undefined): number {
  if (fault?.kind === 'repeat_page') return Math.max(1, page - 1)
  return fault?.kind === 'skip_page' ? page + 1 : page
}

export function pageOf<Item>(items: readonly Item[], page: number, pageSize: number): Item[] {
  return items.slice((page - 1) * pageSize, page * pageSize)
}

/** A whole number of the query within bounds, or the default. */
export function numberOf(query: URLSearchParams, name: string, preset: number, most: number): number {
  const value = Number(query.get(name) ?? preset)
  return Number.isSafeInteger(value) && value >= 1 && value <= most ? value : preset
}

export function parseBody(body: string): Record<string, unknown> | undefined {
  try {
    const parsed = JSON.parse(body) as unknown
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined
  } catch {
    // The caller's mistake, which is reported to it.
    return undefined
  }
}
