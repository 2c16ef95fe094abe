import { classifierModelFromFiles, scoreClassifierRow } from '@roadworthy/prognostics/learning/classifier/classifier-model'
import { evaluateClassifier } from '@roadworthy/prognostics/learning/classifier/evaluate-classifier'
import type { Command } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { openCsv } from '../csv.ts'
import { readLabelledTable, toLabels } from '../labelled-table.ts'
import { blamingFile, describeMetrics, flagged, loadModel } from '../learned-model.ts'

type EvaluateClassifierOptions = { model: string; data: string; label?: string }

export function addEvaluateClassifier(evaluate: Command, surroundings: Surroundings): void {
  evaluate
    .command('classifier')
    .description('measure a classifier on labelled rows, columns called as in its training data')
    .addOption(new RequiredOption('--model <dir>', 'folder of the model'))
    .addOption(new RequiredOption('--data <file>', 'the rows, plain or gzip'))
    .option('--label <column>', "column of the label (default: the training data's)")
    .addHelpText(
      'after',
      examples(
        'npx roadworthy evaluate classifier --model models/classifier/1.0.0 --data test.csv',
        'npx roadworthy evaluate classifier --model models/classifier/1.0.0 --data test.csv.gz --json',
      ),
    )
    .action(handle<EvaluateClassifierOptions>(surroundings, evaluateOnRows))
}

async function evaluateOnRows({ out }: Context, { model: dir, data, label }: EvaluateClassifierOptions): Promise<void> {
  const { model } = await loadModel(dir, 'classifier', classifierModelFromFiles, scoreClassifierRow)
  const table = await readLabelledTable(await openCsv(data), {
    label: flagged(label === undefined ? 'of the model' : '--label')(label ?? model.labelName),
    unit: undefined,
    features: model.inputs.map(({ name }) => flagged('of the model')(name)),
  })
  const evaluation = await blamingFile(data, () => evaluateClassifier(model, table.columns, toLabels(table.labels, model.positive)))
  out.answer(evaluation, () => describeMetrics(evaluation))
}
