import { createdAt, type ManifestDraft } from '@roadworthy/model-store/manifest'
import { requirePlaceForModel, writeModel } from '@roadworthy/model-store/write-model'
import { classifierModelToFiles, classifierOutputs } from '@roadworthy/prognostics/learning/classifier/classifier-model'
import { inputFeatureNames } from '@roadworthy/prognostics/learning/classifier/columns'
import { type TrainedClassifier, trainClassifier } from '@roadworthy/prognostics/learning/classifier/train-classifier'
import type { Command } from 'commander'
import { type Context, examples, handle, listOf, RequiredOption, type Surroundings } from '../command.ts'
import { openCsv } from '../csv.ts'
import { fileDigest } from '../file-digest.ts'
import { withForestPool } from '../forest-pool.ts'
import { type LabelledTable, positiveLabel, readLabelledTable, toLabels } from '../labelled-table.ts'
import { addTrainOptions, blamingFile, describeMetrics, flagged, type TrainOptions } from '../learned-model.ts'
import { identityOf } from '../model-identity.ts'

type TrainClassifierOptions = TrainOptions & { label: string; positive?: string; unit?: string; features?: string[] }

const DEFAULT_NAME = 'classifier'

export function addTrainClassifier(train: Command, surroundings: Surroundings): void {
  const command = train
    .command('classifier')
    .description('learn to distinguish two kinds of rows from a CSV file, plain or gzip: a calibrated probability and a threshold')
    .addOption(new RequiredOption('--data <file>', 'the rows, with a header'))
    .addOption(new RequiredOption('--label <column>', 'what is to be predicted'))
    .option('--positive <value>', 'the label whose probability is wanted (default: 1 where labels are 0 and 1); any other is negative')
    .option('--features <columns>', 'columns to learn from, separated by commas (default: every other one)', listOf)
    .option('--unit <column>', 'the unit a row is of, where several rows are of one: they are never split between fitting and testing')
  addTrainOptions(command, DEFAULT_NAME)
    .addHelpText(
      'after',
      examples(
        'npx roadworthy train classifier --data rows.csv --label failed --out models/classifier/1.0.0',
        'npx roadworthy train classifier --data rows.csv --label state --positive worn --unit vin --features rpm,coolant --out models/wear/1.0.0',
      ),
    )
    .action(handle<TrainClassifierOptions>(surroundings, trainOnRows))
}

async function trainOnRows(context: Context, options: TrainClassifierOptions): Promise<void> {
  const { out } = context
  await requirePlaceForModel(options.out)
  const table = await readLabelledTable(await openCsv(options.data), {
    label: flagged('--label')(options.label),
    unit: options.unit === undefined ? undefined : flagged('--unit')(options.unit),
    features: options.features?.map(flagged('--features')),
  })
  const positive = positiveLabel(options.data, table.labels, options.positive)
  if (table.tooVaried.length > 0) out.note(`Left out, as text with too many different values: ${table.tooVaried.join(', ')}.`)
  const bar = out.progress('training')
  const rows = {
    columns: table.columns,
    labels: toLabels(table.labels, positive),
    ...(table.units === undefined ? {} : { groups: table.units }),
  }
  const onProgress = (share: number) => bar.update(share, 'cross-validation and model')
  const classifierOptions = { labelName: options.label, positive, seed: options.seed, onProgress }
  const trained = await blamingFile(options.data, () => withForestPool((fit) => trainClassifier(rows, classifierOptions, fit))).finally(
    () => bar.end(),
  )
  if (trained.rows < table.labels.length) out.note(`Learned from ${trained.rows} of ${table.labels.length} rows, at even steps.`)
  if (trained.droppedColumns.length > 0) out.note(`Left out, as constant or counting rows: ${trained.droppedColumns.join(', ')}.`)
  if (trained.repeatedRows > 0) {
    out.note(
      `${trained.repeatedRows} rows equal another one that is on the other side of a fold. Where they are copies, the figures look better than they are: leave copies out, or name the column of the unit with --unit.`,
    )
  }
  const manifest = await writeModel(options.out, {
    manifest: await manifestOf(context, options, table, trained),
    files: classifierModelToFiles(trained.model),
  })
  const { metrics } = manifest
  out.answer(
    { out: options.out, rows: table.labels.length, positive, threshold: trained.model.threshold, features: manifest.features, metrics },
    () =>
      `${describeMetrics(metrics)}\n\nmeasured on rows each forest had not seen; above ${trained.model.threshold.toFixed(3)} a row is ${positive}\nwritten to ${options.out}`,
  )
}

async function manifestOf(
  context: Context,
  options: TrainClassifierOptions,
  { labels, units }: LabelledTable,
  { model, crossValidated, goldenRows }: TrainedClassifier,
): Promise<ManifestDraft> {
  const { n: _, ...measured } = crossValidated
  return {
    ...identityOf(options, DEFAULT_NAME, context.out),
    kind: 'classifier',
    description: `The probability that "${model.labelName}" is ${model.positive}.`,
    features: inputFeatureNames(model.inputs),
    outputs: [...classifierOutputs],
    training_data: {
      sha256: await fileDigest(options.data),
      rows: labels.length,
      units: units === undefined ? labels.length : new Set(units).size,
      description: options.description ?? `${labels.length} labelled rows.`,
    },
    metrics: Object.fromEntries(Object.entries(measured).map(([name, value]) => [`crossvalidated_${name}`, value])),
    calibration: {
      method: 'Platt scaling and threshold of best macro-F1, from margins of five-fold cross-validation',
      ...model.platt,
      threshold: model.threshold,
    },
    seed: options.seed,
    created_at: createdAt(context.env['SOURCE_DATE_EPOCH'], context.now().getTime()),
    golden_rows: goldenRows.map(({ features, output }) => ({ features: [...features], output: [...output] })),
  }
}
