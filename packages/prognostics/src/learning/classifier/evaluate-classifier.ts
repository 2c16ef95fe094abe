import { LearningRefusal } from '../learning-refusal.ts'
import { accuracy, auc, ece, f1, macroF1 } from '../metrics.ts'
import { type ClassifierModel, probabilities } from './classifier-model.ts'
import { type Column, encode } from './columns.ts'

export type ClassifierEvaluation = {
  readonly n: number
  readonly auc: number
  readonly accuracy: number
  readonly f1: number
  readonly macro_f1: number
  readonly ece: number
}

/** How well the model distinguishes labelled rows, at the threshold it was trained to. `labels` are 1 for its positive label, else 0. */
export function evaluateClassifier(model: ClassifierModel, columns: readonly Column[], labels: Float64Array): ClassifierEvaluation {
  if (labels.length === 0) throw new LearningRefusal('There is no row to evaluate on.')
  if (labels.every((label) => label === labels[0])) {
    throw new LearningRefusal(
      `${labels[0] === 1 ? 'All rows have' : 'No row has'} "${model.labelName}" ${model.positive}; both kinds are needed.`,
    )
  }
  const probability = probabilities(model, encode(model.inputs, columns, labels.length))
  return measureClassifier(probability, callsOf(probability, model.threshold), labels)
}

/** 1 for a row that is called positive, else 0. */
export function callsOf(probability: Float64Array, threshold: number): Float64Array {
  return probability.map((each) => (each >= threshold ? 1 : 0))
}

export function measureClassifier(probability: Float64Array, called: Float64Array, labels: Float64Array): ClassifierEvaluation {
  return {
    n: labels.length,
    auc: auc(probability, labels),
    accuracy: accuracy(called, labels),
    f1: f1(called, labels),
    macro_f1: macroF1(called, labels),
    ece: ece(probability, labels),
  }
}
