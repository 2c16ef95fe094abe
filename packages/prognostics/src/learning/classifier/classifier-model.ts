// A trained classifier of rows: what it holds, what it answers, and its form in files.
import { type FeatureTable, type Forest, forestFromJson, forestToJson, scoreRow, scoreTable } from '../forest.ts'
import { calibrated, type PlattScaling } from './calibration.ts'
import { type ClassifierInput, inputFeatureNames } from './columns.ts'

export type ClassifierModel = {
  readonly labelName: string
  /** The label whose probability is reported. */
  readonly positive: string
  readonly inputs: readonly ClassifierInput[]
  readonly forest: Forest
  readonly platt: PlattScaling
  /** A row of this probability or more is called positive. */
  readonly threshold: number
}

export const classifierOutputs = ['probability'] as const

/** The probability of the positive label for one row of features, in the order of `inputFeatureNames`. */
export function scoreClassifierRow({ forest, platt }: ClassifierModel, row: ArrayLike<number>): number[] {
  return [calibrated(platt, scoreRow(forest, row))]
}

export function probabilities({ forest, platt }: ClassifierModel, table: FeatureTable): Float64Array {
  return scoreTable(forest, table).map((margin) => calibrated(platt, margin))
}

const FORMAT = 'roadworthy-classifier/1'
const MODEL_FILE = 'classifier.json'
const FOREST_FILE = 'forest.json'

/** The same bytes for the same model. */
export function classifierModelToFiles({ forest, ...rest }: ClassifierModel): Record<string, Uint8Array> {
  const bytes = (value: unknown) => new TextEncoder().encode(`${JSON.stringify(value)}\n`)
  return { [MODEL_FILE]: bytes({ format: FORMAT, ...rest }), [FOREST_FILE]: bytes(forestToJson(forest)) }
}

/** Throws with what is wrong when the files are not a whole model of this kind. */
export function classifierModelFromFiles(files: ReadonlyMap<string, Uint8Array>): ClassifierModel {
  const { format, ...rest } = (parse(files, MODEL_FILE) ?? {}) as Record<string, unknown>
  if (format !== FORMAT) throw new TypeError(`${MODEL_FILE}: "format" is not "${FORMAT}"`)
  const model = { ...requireParts(rest), forest: forestFromJson(parse(files, FOREST_FILE)) }
  const names = inputFeatureNames(model.inputs)
  const isSame = model.forest.featureNames.length === names.length && names.every((name, at) => name === model.forest.featureNames[at])
  if (!isSame) throw new TypeError(`${FOREST_FILE}: its features are not those of ${MODEL_FILE}`)
  if (model.forest.loss !== 'logistic') throw new TypeError(`${FOREST_FILE}: its loss is not logistic`)
  return model
}

function parse(files: ReadonlyMap<string, Uint8Array>, name: string): unknown {
  const bytes = files.get(name)
  if (bytes === undefined) throw new TypeError(`the model has no ${name}`)
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** Files are verified by their hash before they come here; this catches a file of another version or by another hand. */
function requireParts(value: Record<string, unknown>): Omit<ClassifierModel, 'forest'> {
  const refuse = (what: string): never => {
    throw new TypeError(`${MODEL_FILE}: "${what}" is missing or not what it should be`)
  }
  const { labelName, positive, inputs, platt, threshold } = value as Partial<ClassifierModel>
  if (typeof labelName !== 'string') return refuse('labelName')
  if (typeof positive !== 'string') return refuse('positive')
  if (typeof threshold !== 'number') return refuse('threshold')
  if (!Number.isFinite(platt?.slope) || !Number.isFinite(platt?.intercept)) return refuse('platt')
  const isInput = (input: ClassifierInput) =>
    typeof input?.name === 'string' && (input.kind === 'number' || (input.kind === 'category' && Array.isArray(input.categories)))
  if (!Array.isArray(inputs) || !inputs.every(isInput)) return refuse('inputs')
  return { labelName, positive, inputs, platt: platt as PlattScaling, threshold }
}
