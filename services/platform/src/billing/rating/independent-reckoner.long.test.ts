// As `independent-reckoner.test.ts`, ten times as long and with other books.

import { test } from 'node:test'
import { compareBooks } from './test-compare-reckonings.ts'

test('the rating and an independent reckoner agree on every line and total of 10,000 SIM-months', () => {
  compareBooks({ firstSeed: 1_000_000, simMonths: 10_000 })
})
