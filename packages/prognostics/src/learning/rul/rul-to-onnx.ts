import { type OnnxModelText, type OnnxOutput, type OnnxValue, valuesToOnnx } from '../onnx.ts'
import { LIFE_FEATURE, MIN_SPREAD_SHARE, type RulModel, rulOutputs } from './rul-model.ts'
import { trendFeatureNames } from './trend-features.ts'

/** Stands for "as wide as can be": with the least spread there is, still thousands of times the cap. */
const BOUNDLESS_SPREADS = 1e6
const FLOAT32_MAX = 3.4e38

/** What `scoreRulRow` computes from a row of trend features, as ONNX: the same outputs in the same order. */
export function rulToOnnx(model: RulModel, text: Omit<OnnxModelText, 'features'>): Uint8Array {
  const { cap, folds, margins } = model
  const withinCap = (of: OnnxValue): OnnxValue => ({ kind: 'clip', of, min: 0, max: cap })
  const lives = folds.map(({ life }) => withinCap({ kind: 'forest', forest: life }))
  const spreads = folds.map(({ spread }, fold): OnnxValue => {
    const raw: OnnxValue = { kind: 'forest', forest: spread, extra: { [LIFE_FEATURE]: lives[fold] as OnnxValue } }
    return { kind: 'clip', of: raw, min: MIN_SPREAD_SHARE * cap, max: FLOAT32_MAX }
  })
  const [rul, width] = [meanOf(lives), meanOf(spreads)]
  const away = (reach: number): OnnxValue => withinCap({ kind: 'sum', of: [rul, { kind: 'scale', of: width, factor: reach, offset: 0 }] })
  const ends = margins.flatMap((margin) => {
    const reach = margin.spreads ?? BOUNDLESS_SPREADS
    return [away(-reach), away(reach)]
  })
  const outputs = [rul, ...ends].map((value, at): OnnxOutput => ({ name: rulOutputs[at] ?? `output_${at}`, value }))
  return valuesToOnnx(outputs, { ...text, features: trendFeatureNames(model.pipeline) })
}

function meanOf(values: readonly OnnxValue[]): OnnxValue {
  const sum = values.reduce((left, right) => ({ kind: 'sum', of: [left, right] }))
  return { kind: 'scale', of: sum, factor: 1 / values.length, offset: 0 }
}
