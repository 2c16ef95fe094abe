import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/support/fast-check.ts'
import { cumulativeHazard, hazardAhead, residualQuantile } from './weibull.ts'

const life = fc.record({ shape: fc.double({ min: 0.4, max: 4, noNaN: true }), scale: fc.double({ min: 100, max: 1e6, noNaN: true }) })
const share = fc.double({ min: 0.01, max: 0.99, noNaN: true })

test('the median of brake life of the source comes out: B10 30.7 and B90 85.8 thousand km', () => {
  const brakes = { shape: 3, scale: 65_000 }
  assert.equal(Math.round(residualQuantile(brakes, 0, 0, 0, 0.1) / 100), 307)
  assert.equal(Math.round(residualQuantile(brakes, 0, 0, 0, 0.9) / 100), 858)
  assert.equal(cumulativeHazard(brakes, 65_000), 1)
})

test('a residual quantile is the further life that exactly that share does not reach, acute hazard or not', () => {
  fc.assert(
    fc.property(
      life,
      share,
      fc.double({ min: 0, max: 3, noNaN: true }),
      fc.double({ min: 0, max: 0.1, noNaN: true }),
      (weibull, failed, used, acute) => {
        const age = used * weibull.scale
        const spent = cumulativeHazard(weibull, age)
        const ahead = residualQuantile(weibull, age, spent, acute, failed)
        assert.ok(ahead >= 0 && Number.isFinite(ahead))
        assert.ok(Math.abs(1 - Math.exp(-hazardAhead(weibull, age, spent, ahead, acute)) - failed) < 1e-4)
      },
    ),
  )
})
