import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/support/fast-check.ts'
import { hazardAtRandomStage, randomStageQuantile } from './random-stage.ts'

const life = fc.record({ shape: fc.double({ min: 0.4, max: 8, noNaN: true }), scale: fc.double({ min: 1, max: 1e6, noNaN: true }) })

test('the further life of a part at a random stage is that of renewal theory', () => {
  // Shape 1 has no memory: S(y) = exp(−y / η). Shape 2 is half a normal distribution: 1 − erf(y / η), erf(1) = 0.842700793 (A&S table 7.1).
  assert.ok(Math.abs(hazardAtRandomStage({ shape: 1, scale: 200 }, 30, 0) - 30 / 200) < 1e-12)
  assert.ok(Math.abs(hazardAtRandomStage({ shape: 2, scale: 200 }, 200, 0) + Math.log(1 - 0.842700793)) < 1e-8)
  // Over a short time one part in mean life / time fails; the mean of shape 3 is Γ(4/3) = 0.8929795.
  assert.ok(Math.abs(hazardAtRandomStage({ shape: 3, scale: 65_000 }, 1, 0) * 65_000 * 0.8929795 - 1) < 1e-4)
})

test('a quantile is the further life that exactly that share does not reach, acute hazard or not', () => {
  fc.assert(
    fc.property(
      life,
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      fc.double({ min: 0, max: 3, noNaN: true }),
      (weibull, failed, risk) => {
        const acute = risk / weibull.scale
        const ahead = randomStageQuantile(weibull, acute, failed)
        assert.ok(Math.abs(-Math.expm1(-hazardAtRandomStage(weibull, ahead, acute)) - failed) < 1e-6, `${ahead}`)
      },
    ),
  )
})
