// Goal: the engine reports what was measured last, and the model card has the same. Method: the text is made again from the file
// of results, and the card is searched for each figure.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { measuredFigures } from '@roadworthy/engine/models/measured-figures'
import { modelFiguresText } from './model-figures.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('the figures of the rules are those of the last measurement; `npm run model-figures` writes them', () => {
  assert.equal(read('services/engine/src/models/measured-figures.ts'), modelFiguresText(read('bench/results/quality.jsonl')))
})

test('the model card quotes them', () => {
  const card = read('docs/model-card.md')
  for (const [name, value] of Object.entries(measuredFigures)) {
    if (name === 'measured_at' || name === 'measured_seconds_per_reading') continue
    assert.ok(card.includes(`| \`${name}\` | ${value} |`), `docs/model-card.md has no row "| \`${name}\` | ${value} |"`)
  }
})

test('of each rate the last line counts, the worst rate of alarms is written, and what is not asked for is no failure', () => {
  const line = (at: string, everyS: number, alertsAboveInfo: number, foundAboveInfoShare: number) =>
    JSON.stringify({
      at,
      everyS,
      sound: [
        { vehicle: 'car', engineHours: 10, alertsAboveInfo },
        { vehicle: '24 V truck', engineHours: 10, alertsAboveInfo: 0 },
      ],
      faults: [
        { name: 'a', shownCount: 10, foundAboveInfoShare },
        { name: 'b', shownCount: 10, foundAboveInfoShare: 0, notAskedFor: 'it cannot be detected' },
      ],
    })
  const text = modelFiguresText([line('2026-01-01', 1, 9, 0), line('2026-01-02', 5, 1, 1), line('2026-01-03', 1, 0, 0.5)].join('\n'))
  for (const field of [
    "measured_at: '2026-01-03'",
    'measured_seconds_per_reading: [1, 5]',
    'measured_engine_hours: 10',
    'false_alarms_per_100_engine_hours: 5',
    'injected_faults: 20',
    'injected_faults_found_share: 0.75',
    'least_found_share_of_a_fault: 0.5',
  ]) {
    assert.ok(text.includes(`  ${field},`), field)
  }
})
