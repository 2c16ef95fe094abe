import { InvalidArgumentError } from 'commander'

/** A line of an invoice, and how much of it. */
export type CreditPart = { readonly line: number; readonly amountMinor: number }

/** `1:9000`; for an option that may be given more than once. */
export function creditPart(text: string, before: readonly CreditPart[]): CreditPart[] {
  const [, line, amount] = /^(\d{1,6}):(\d{1,15})$/.exec(text) ?? []
  if (line === undefined || amount === undefined) {
    throw new InvalidArgumentError('A line and an amount in minor units are wanted, such as 1:9000.')
  }
  return [...before, { line: Number(line), amountMinor: Number(amount) }]
}
