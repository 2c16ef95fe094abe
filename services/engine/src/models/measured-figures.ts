// Written by `npm run model-figures` from bench/results/quality.jsonl. Measure anew instead of changing it.

/** Of the rules, on trips of two sound cars that were held back, at several rates of reporting: the worst of them, and all faults that are asked for. */
export const measuredFigures = {
  measured_at: '2026-11-23T06:11:36.409Z',
  measured_seconds_per_reading: [0.5, 1, 2, 5, 10],
  measured_engine_hours: 19.05,
  false_alarms_per_100_engine_hours: 0,
  injected_faults: 2336,
  injected_faults_found_share: 0.962,
  least_found_share_of_a_fault: 0,
} as const
