import { Problem } from '@roadworthy/service-kit/http/problem'
import { isMonth, isTimeZone } from '@roadworthy/service-kit/time/zoned-time'
import type { RatedSim, RatingInput } from './rating-input.ts'

/**
 * Refuses what the form of an input allows but would be billed wrongly: an entry, a SIM or a price that is there twice, rows out of order, use of
 * another month, a custody without its beginning.
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
  for (const sim of input.sims) checkSim(sim, input.month)
}

function checkSim({ simId, history, custodySince, usage }: RatedSim, month: RatingInput['month']): void {
  const about = `SIM ${JSON.stringify(simId)}`
  const [fromMs, untilMs] = [Date.parse(month.from), Date.parse(month.until)]
  const misplaced = history.find(({ seq }, nth) => nth > 0 && seq <= (history[nth - 1]?.seq ?? 0))
  if (misplaced !== undefined) throw refusal(`history of ${about} is not in the order of seq at ${misplaced.seq}`)
  const instants = [...history, ...(custodySince === null ? [] : [custodySince])].map(({ at }) => at)
  const unreal = instants.find((at) => Number.isNaN(Date.parse(at)))
  if (unreal !== undefined) throw refusal(`${unreal} of ${about} is no instant`)
  const first = history[0]
  if (first?.status === 'safe_custody' && Date.parse(first.at) < fromMs && custodySince === null) {
    throw refusal(`${about} is in safe custody before the month, since when is missing`)
  }
  const lastSeqs = new Map<string, number>()
  for (const { fromSeq, toSeq, firstReceivedAt, lastReceivedAt, customerId, planId } of usage) {
    const key = JSON.stringify([customerId, planId])
    if (fromSeq > toSeq || fromSeq <= (lastSeqs.get(key) ?? -1))
      throw refusal(`usage ${fromSeq} to ${toSeq} of ${about} overlaps or is out of order`)
    lastSeqs.set(key, toSeq)
    const [firstMs, lastMs] = [Date.parse(firstReceivedAt), Date.parse(lastReceivedAt)]
    if (!(firstMs >= fromMs && firstMs <= lastMs && lastMs < untilMs)) {
      throw refusal(`usage ${fromSeq} to ${toSeq} of ${about} was not received in the month`)
    }
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
