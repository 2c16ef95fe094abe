// Goal: what is billed follows from the rules, to the minor unit. Method: 1,000 SIM-months made by chance (moves between customers and plans, custody
// left early and kept across months, pools, late use, change of clocks, currencies of 0, 2 and 3 decimals) are billed to each of three customers, by
// the rating and by an implementation that shares no code with it. Ten times as many are in the long suite.

import { test } from 'node:test'
import { compareBooks } from './test-compare-reckonings.ts'

test('the rating and an independent reckoner agree on every line and total of 1,000 SIM-months', () => {
  compareBooks({ firstSeed: 1, simMonths: 1_000 })
})
