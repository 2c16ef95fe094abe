import { Problem } from '@roadworthy/service-kit/problem'
import { isMonth, isTimeZone } from '@roadworthy/service-kit/zoned-time'
import type { RatedSim, RatingInput } from './rating-input.ts'

/**
 * Refuses what the form of an input allows but would be billed wrongly: an entry, a SIM or a price that is there twice, rows out of order, a custody
 * without its beginning.
 */
export function checkRatingInput(input: RatingInput): void {
  const { label, timeZone, from, until } = input.month
  if (!isMonth(label) || !isTimeZone(timeZone) || !(Date.parse(from) < Date.parse(until))) {
    throw refusal(`month ${JSON.stringify(label)} of ${JSON.stringify(timeZone)} from ${from} until ${until} is none`)
  }
  requireUnique('SIM', input.sims, ({ simId }) => simId)
  requireUnique('plan', input.plans, ({ planId }) => planId)
  requireUnique('override of plan', input.terms.planOverrides, ({ planId }) => planId)
  requireUnique('override of meter', input.terms.meterOverrides, ({ meter }) => meter)
  requireUnique('price of meter', input.platform?.meters ?? [], ({ meter }) => meter)
  requireUnique('total of meter', input.meterTotals, ({ meter }) => meter)
  requireUnique('tax', input.taxes, ({ taxId }) => taxId)
  for (const sim of input.sims) checkSim(sim, Date.parse(from))
}

function checkSim({ simId, history, custodySince, usage }: RatedSim, fromMs: number): void {
  for (const [ledger, rows] of [
    ['history', history],
    ['usage', usage],
  ] as const) {
    const place = rows.findIndex(({ seq }, nth) => nth > 0 && seq <= (rows[nth - 1]?.seq ?? 0))
    if (place > 0) throw refusal(`${ledger} of SIM ${JSON.stringify(simId)} is not in the order of seq at ${rows[place]?.seq}`)
  }
  const instants = [
    ...history.map(({ at }) => at),
    ...usage.map(({ receivedAt }) => receivedAt),
    ...(custodySince === null ? [] : [custodySince.at]),
  ]
  const unreal = instants.find((at) => Number.isNaN(Date.parse(at)))
  if (unreal !== undefined) throw refusal(`${unreal} of SIM ${JSON.stringify(simId)} is no instant`)
  const first = history[0]
  if (first?.status === 'safe_custody' && Date.parse(first.at) < fromMs && custodySince === null) {
    throw refusal(`SIM ${JSON.stringify(simId)} is in safe custody before the month, since when is missing`)
  }
}

function requireUnique<T>(what: string, items: readonly T[], keyOf: (item: T) => string): void {
  const seen = new Set<string>()
  for (const item of items) {
    const key = keyOf(item)
    if (seen.has(key)) throw refusal(`${what} ${JSON.stringify(key)} is there twice`)
    seen.add(key)
  }
}

function refusal(what: string): Problem {
  return new Problem('invalid_request', `This cannot be rated: ${what}.`)
}
