import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/support/fast-check.ts'
import { residualQuantile } from '../lives/weibull.ts'
import { createRandom } from './random.ts'
import { fitWeibull, type Lives, type WeibullFit } from './weibull-fit.ts'

/** Millions of revolutions that 23 ball bearings ran until failure (Lieblein & Zelen 1956). */
const BEARINGS = [
  17.88, 28.92, 33.0, 41.52, 42.12, 45.6, 48.4, 51.84, 51.96, 54.12, 55.56, 67.8, 68.64, 68.64, 68.88, 84.12, 93.12, 98.64, 105.12, 105.84,
  127.92, 128.04, 173.4,
]

const failed = (times: readonly number[]): Lives => ({ times: Float64Array.from(times), isFailed: new Uint8Array(times.length).fill(1) })

function near(actual: number, expected: number, relative = 1e-6): void {
  assert.ok(Math.abs(actual - expected) <= relative * Math.abs(expected), `${actual} is not within ${relative} of ${expected}`)
}

test('the ball bearings of Lieblein and Zelen come out as published: shape 2.102, scale 81.88', () => {
  const fit = fitWeibull(failed(BEARINGS))
  near(fit.shape, 2.102, 1e-3)
  near(fit.scale, 81.88, 1e-3)
  near(fit.logLikelihood, -113.69, 1e-4)
  assert.deepEqual([fit.lifeCount, fit.failureCount], [23, 23])
})

function logLikelihoodAt({ times, isFailed, counts }: Lives, shape: number, scale: number): number {
  let sum = 0
  for (const [row, time] of times.entries()) {
    const hazard = (time / scale) ** shape
    const density = Math.log(shape / scale) + (shape - 1) * Math.log(time / scale)
    sum += (counts?.[row] ?? 1) * ((isFailed[row] === 1 ? density : 0) - hazard)
  }
  return sum
}

/** Drawn by inversion; whatever outlives `watched` is censored there. */
function drawnLives(shape: number, scale: number, count: number, watched: number, seed: number): Lives {
  const random = createRandom(seed)
  const times = Float64Array.from({ length: count }, () => scale * (-Math.log1p(-random())) ** (1 / shape))
  return { times: times.map((time) => Math.min(time, watched)), isFailed: Uint8Array.from(times, (time) => (time <= watched ? 1 : 0)) }
}

test('nothing near the fit is more likely, and its standard errors are those of the curvature there', () => {
  const anyLives = fc.record({
    shape: fc.double({ min: 0.3, max: 8, noNaN: true }),
    scale: fc.double({ min: 1e-3, max: 1e7, noNaN: true }),
    watched: fc.double({ min: 0.3, max: 3, noNaN: true }),
    seed: fc.integer({ min: 0, max: 1e6 }),
  })
  fc.assert(
    fc.property(anyLives, ({ shape, scale, watched, seed }) => {
      const lives = drawnLives(shape, scale, 60, watched * scale, seed)
      fc.pre(lives.isFailed.some((each) => each === 1))
      const fit = fitWeibull(lives)
      const at = (b: number, e: number) => logLikelihoodAt(lives, fit.shape * b, fit.scale * e)
      near(fit.logLikelihood, at(1, 1), 1e-9)
      const step = 1e-4
      for (const [b, e] of [
        [1 + step, 1],
        [1 - step, 1],
        [1, 1 + step],
        [1, 1 - step],
      ] as const) {
        assert.ok(at(b, e) <= fit.logLikelihood + 1e-9)
      }
      near(fit.shapeSe, numericalErrors(fit, at)[0], 1e-2)
      near(fit.scaleSe, numericalErrors(fit, at)[1], 1e-2)
    }),
    { numRuns: 60, seed: 3 },
  )
})

/** From second differences of the log likelihood, in relative steps of both parameters. */
function numericalErrors({ shape, scale }: WeibullFit, at: (b: number, e: number) => number): [number, number] {
  const step = 1e-3
  const curvature = (b: number, e: number) => -(at(1 + b, 1 + e) - 2 * at(1, 1) + at(1 - b, 1 - e)) / step ** 2
  const [byShape, byScale] = [curvature(step, 0), curvature(0, step)]
  const byBoth = -(at(1 + step, 1 + step) - at(1 + step, 1 - step) - at(1 - step, 1 + step) + at(1 - step, 1 - step)) / (4 * step ** 2)
  const determinant = byShape * byScale - byBoth ** 2
  return [shape * Math.sqrt(byScale / determinant), scale * Math.sqrt(byShape / determinant)]
}

test('many lives give back what they were drawn from, however many were still running', () => {
  for (const [shape, scale, watched] of [
    [0.7, 300, 600],
    [2.1, 11_792, 9_000],
    [3.16, 27_719, 60_000],
  ] as const) {
    const fit = fitWeibull(drawnLives(shape, scale, 20_000, watched, 7))
    assert.ok(Math.abs(fit.shape - shape) < 4 * fit.shapeSe, `${fit.shape} ± ${fit.shapeSe} for ${shape}`)
    assert.ok(Math.abs(fit.scale - scale) < 4 * fit.scaleSe, `${fit.scale} ± ${fit.scaleSe} for ${scale}`)
  }
})

test('a count is that many lives, and the unit of time scales the scale and nothing else', () => {
  const counts = Float64Array.from(BEARINGS, (_, row) => 1 + (row % 3))
  const counted = fitWeibull({ ...failed(BEARINGS), counts })
  const repeated = fitWeibull(failed(BEARINGS.flatMap((time, row) => new Array<number>(1 + (row % 3)).fill(time))))
  for (const key of ['shape', 'scale', 'shapeSe', 'scaleSe', 'logLikelihood'] as const) near(counted[key], repeated[key], 1e-10)
  assert.deepEqual([counted.lifeCount, counted.failureCount], [repeated.lifeCount, repeated.failureCount])
  for (const unit of [1e-200, 1e-6, 3_600_000, 1e200]) {
    const fit = fitWeibull(failed(BEARINGS.map((time) => time * unit)))
    near(fit.shape, fitWeibull(failed(BEARINGS)).shape, 1e-10)
    near(fit.scale, fitWeibull(failed(BEARINGS)).scale * unit, 1e-10)
  }
})

test('one failure is enough when something ran longer', () => {
  const fit = fitWeibull({ times: Float64Array.of(100, 200, 300), isFailed: Uint8Array.of(0, 1, 0) })
  assert.ok(fit.shape > 0 && fit.scale > 0 && Number.isFinite(fit.shapeSe) && Number.isFinite(fit.scaleSe))
})

test('the median further life of a fitted part is that of its conditional survival', () => {
  const { shape, scale } = fitWeibull(failed(BEARINGS))
  const ahead = residualQuantile({ shape, scale }, 50, (50 / scale) ** shape, 0, 0.5)
  near(Math.exp((50 / scale) ** shape - ((50 + ahead) / scale) ** shape), 0.5, 1e-9)
})

test('input that no Weibull fits is refused with the reason', () => {
  const refused = (lives: Lives, message: RegExp) => assert.throws(() => fitWeibull(lives), { name: 'RangeError', message })
  refused(failed([]), /no lives/)
  refused({ times: Float64Array.of(1, 2), isFailed: Uint8Array.of(0, 0) }, /no life ended in failure/)
  refused(failed([1, 0]), /life 2 is 0 long/)
  refused(failed([1, -3]), /life 2 is -3 long/)
  refused(failed([1, Number.NaN]), /life 2 is NaN long/)
  refused(failed([5, 5, 5]), /all failures are at one time/)
  refused({ times: Float64Array.of(5, 5, 2), isFailed: Uint8Array.of(1, 1, 0) }, /all failures are at one time/)
  refused({ ...failed([1, 2]), counts: Float64Array.of(1, -1) }, /life 2 occurs -1 times/)
  refused({ ...failed([1, 2]), counts: Float64Array.of(0, 0) }, /no life ended in failure/)
})
