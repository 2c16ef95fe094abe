// How fast a backlog is scored after the engine was away: vehicles of one reseller that are all due, and an engine that takes a fixed time for a
// batch, so that what is measured is everything around it. Measured at several sizes of the backlog; bar: the rate and the time to the first question of
// a round (claiming, and loading the first batch) stay what they are at the smallest. Each round is a claim of 500 in batches of 25, as the service
// does it.
//
// Run: node bench/scenarios/scoring-backlog.ts [--due 500000] [--workers 1]     Result: a line in bench/results/scoring-backlog.jsonl

import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { EngineClient } from '@roadworthy/platform/predictions/engine/engine-client'
import { defaultScoringSettings, type ScoringDeps, scoreDueVehicles } from '@roadworthy/platform/predictions/scoring/score-due-vehicles'
import { asOwner, makeBacklog, shrinkBacklog } from '@roadworthy/platform/predictions/scoring/test-backlog'
import { insertReseller, openTestDatabase } from '@roadworthy/platform/test-support'
import { keepResult } from '../load/service-under-load.ts'

const ROUNDS = 6
const ENGINE_MS_PER_BATCH = 10
const { values: flags } = parseArgs({ options: { due: { type: 'string', default: '500000' }, workers: { type: 'string', default: '1' } } })
const due = Number(flags.due)
const workers = Number(flags.workers)
const never = new AbortController().signal

const cleanUps: (() => Promise<void> | void)[] = []
try {
  const { database, ownerUrl } = await openTestDatabase({ after: (run) => cleanUps.push(run as () => Promise<void>) })
  await insertReseller(database, 'flood')
  await asOwner(ownerUrl, (owner) => makeBacklog(owner, 'flood', due, 'veh-'))

  /** The time of a round up to its first question. */
  const firstQuestionMs: number[] = []
  const round = async (): Promise<number> => {
    const startedMs = performance.now()
    let isFirst = true
    const predictBatch: EngineClient['predictBatch'] = async (inputs) => {
      if (isFirst) firstQuestionMs.push(performance.now() - startedMs)
      isFirst = false
      await sleep(ENGINE_MS_PER_BATCH)
      return inputs.map(({ vehicleId, timestamp }) => healthy(String(vehicleId), String(timestamp)))
    }
    const notAsked = () => Promise.reject(new Error('not asked'))
    const engine: EngineClient = { predictBatch, predict: notAsked, models: notAsked, isHealthy: async () => true }
    const log: ScoringDeps['log'] = { warn: console.warn, error: console.error }
    const { scored } = await scoreDueVehicles(
      { database, engine, recorders: [], now: () => new Date(), log },
      defaultScoringSettings,
      never,
    )
    return scored
  }

  const steps: object[] = []
  for (const size of [due, due / 5, due / 25].map(Math.round)) {
    await asOwner(ownerUrl, (owner) => shrinkBacklog(owner, 'flood', size))
    firstQuestionMs.length = 0
    const startedMs = performance.now()
    let scored = 0
    const run = async () => {
      for (let nth = 0; nth < ROUNDS; nth++) scored += await round()
    }
    await Promise.all(Array.from({ length: workers }, run))
    const tookS = (performance.now() - startedMs) / 1_000
    const sorted = firstQuestionMs.toSorted((a, b) => a - b)
    const medianMs = Math.round(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN)
    steps.push({
      due: size,
      scored,
      vehiclesPerS: Math.round(scored / tookS),
      firstQuestionMs: { median: medianMs, most: Math.round(sorted.at(-1) ?? 0) },
    })
    console.log(JSON.stringify(steps.at(-1)))
  }
  keepResult('scoring-backlog', {
    at: new Date().toISOString(),
    cpus: os.cpus().length,
    node: process.version,
    ...{ workers, engineMsPerBatch: ENGINE_MS_PER_BATCH, steps },
  })
} finally {
  for (const run of cleanUps.toReversed()) await run()
}

function healthy(vehicleId: string, timestamp: string) {
  return {
    kind: 'prediction',
    prediction: {
      vehicleId,
      timestamp,
      predictions: {
        ...{ healthScore: 96, maintenanceProbability: 0.02, anomalyScore: 0.05, confidence: 0.9 },
        remainingUsefulLife: { brakes: 120 },
        remainingUsefulLifeInterval: { brakes: [60, 200] },
      },
      components: {},
      alerts: [],
    },
  } as never
}
