import { type OnnxModelText, type OnnxOutput, type OnnxValue, valuesToOnnx } from '../onnx.ts'
import { CENTRE_FEATURE, MIN_SPREAD_SHARE, type RulModel, rulOutputs } from './rul-model.ts'
import { trendFeatureNames } from './trend-features.ts'

/** Stands for "as wide as can be": with the least spread there is, still thousands of times the cap. */
const BOUNDLESS_SPREADS = 1e6
const FLOAT32_MAX = 3.4e38

/** What `scoreRulRow` computes from a row of trend features, as ONNX: the same outputs in the same order. */
export function rulToOnnx(model: RulModel, text: Omit<OnnxModelText, 'features'>): Uint8Array {
  const { cap, point, centre, spread, margins } = model
  const withinCap = (of: OnnxValue): OnnxValue => ({ kind: 'clip', of, min: 0, max: cap })
  const rul = withinCap({ kind: 'forest', forest: point })
  const middle = withinCap({ kind: 'forest', forest: centre })
  const raw: OnnxValue = { kind: 'forest', forest: spread, extra: { [CENTRE_FEATURE]: middle } }
  const width: OnnxValue = { kind: 'clip', of: raw, min: MIN_SPREAD_SHARE * cap, max: FLOAT32_MAX }
  const away = (spreads: number): OnnxValue => ({
    kind: 'sum',
    of: [middle, { kind: 'scale', of: width, factor: spreads, offset: 0 }],
  })
  const values = margins.flatMap(({ spreads }): OnnxValue[] => {
    const reach = spreads ?? BOUNDLESS_SPREADS
    return [
      { kind: 'least', of: [rul, withinCap(away(-reach))] },
      { kind: 'greatest', of: [rul, withinCap(away(reach))] },
    ]
  })
  const outputs = [rul, ...values].map((value, at): OnnxOutput => ({ name: rulOutputs[at] ?? `output_${at}`, value }))
  return valuesToOnnx(outputs, { ...text, features: trendFeatureNames(model.pipeline) })
}
