import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tickSpacePx, tickTexts } from './chart-times.ts'

const DAY_S = 86_400
/** As steps of a chart are. */
const STEPS_S = [
  60,
  300,
  600,
  900,
  1800,
  3600,
  7200,
  10_800,
  14_400,
  21_600,
  28_800,
  43_200,
  DAY_S,
  2 * DAY_S,
  4 * DAY_S,
  10 * DAY_S,
  30 * DAY_S,
]
/** Of a letter of the font of a chart at 11 pixels, on average of such texts. */
const LETTER_PX = 6.2

test('the times below a chart stay apart, from an hour to a year, on a phone and on a desk', () => {
  const fromS = Date.parse('2025-12-01T00:00:00Z') / 1000
  for (const widthPx of [250, 430, 900])
    for (const spanS of [3600, 6 * 3600, DAY_S - 1, DAY_S, 1.5 * DAY_S, 2 * DAY_S, 4 * DAY_S, 7 * DAY_S, 30 * DAY_S, 365 * DAY_S]) {
      const spacePx = tickSpacePx(fromS, fromS + spanS, widthPx)
      const stepS = STEPS_S.find((each) => (each / spanS) * widthPx >= spacePx) ?? 60 * DAY_S
      const ticks = Array.from({ length: Math.floor(spanS / stepS) + 1 }, (_, i) => fromS + i * stepS)
      const longest = Math.max(...tickTexts(ticks).map((text) => text.length)) * LETTER_PX
      assert.ok((stepS / spanS) * widthPx >= longest, `${tickTexts(ticks).join(' | ')} in ${widthPx} pixels`)
    }
})
