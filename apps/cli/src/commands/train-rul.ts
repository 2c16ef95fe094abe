import { createdAt, type ManifestDraft } from '@roadworthy/model-store/manifest'
import { requirePlaceForModel, writeModel } from '@roadworthy/model-store/write-model'
import { rulModelToFiles, rulOutputs } from '@roadworthy/prognostics/learning/rul/rul-model'
import type { Runs } from '@roadworthy/prognostics/learning/rul/runs'
import { type TrainedRul, trainRul, UNITS_FOR_INTERVALS } from '@roadworthy/prognostics/learning/rul/train-rul'
import { trendFeatureNames } from '@roadworthy/prognostics/learning/rul/trend-features'
import type { Command } from 'commander'
import { type Context, examples, handle, listOf, numberAbove, RequiredOption, type Surroundings } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { fileDigest } from '../file-digest.ts'
import { withForestPool } from '../forest-pool.ts'
import { addTrainOptions, blamingFile, choiceOption, flagged, type TrainOptions } from '../learned-model.ts'
import { identityOf } from '../model-identity.ts'
import { cmapssColumns, openRuns, type RunColumns, type RunFormat, readRuns, runFormats } from '../runs-table.ts'

type TrainRulOptions = TrainOptions & {
  format: RunFormat
  unit?: string
  time?: string
  settings?: string[]
  features?: string[]
  cap: number
}

const MAX_CAP = 1e9

const DEFAULT_NAME = 'remaining-life'

export function addTrainRul(train: Command, surroundings: Surroundings): void {
  const command = train
    .command('rul')
    .description('learn remaining life from runs to failure: a CSV file, plain or gzip, in which the last row of each unit is its failure')
    .addOption(new RequiredOption('--data <file>', 'the runs, a row per reading'))
    .addOption(choiceOption('--format <format>', 'csv with a header, or the headerless text of C-MAPSS', runFormats).default('csv'))
    .option('--unit <column>', 'which unit a row is of')
    .option('--time <column>', 'age of the unit then: cycles, hours, km; lives are predicted in the same')
    .option('--settings <columns>', 'how the unit was being run, separated by commas (altitude, load, speed)', listOf)
    .option('--features <columns>', 'sensors to learn from (default: every other column of numbers)', listOf)
    .option('--cap <life>', 'longer lives are learned as this one; nothing shows so early', numberAbove(0, MAX_CAP), 125)
  addTrainOptions(command, DEFAULT_NAME)
    .addHelpText(
      'after',
      examples(
        'npx roadworthy train rul --data runs.csv --unit unit --time cycle --out models/remaining-life/1.0.0',
        'npx roadworthy train rul --data runs.csv.gz --unit vin --time hours --settings load,altitude --cap 500 --out models/pumps/1.0.0',
        'npx roadworthy train rul --data train_FD001.txt --format cmapss --out models/turbofan/1.0.0 --json',
      ),
    )
    .action(handle<TrainRulOptions>(surroundings, trainOnRuns))
}

async function trainOnRuns(context: Context, options: TrainRulOptions): Promise<void> {
  const { out } = context
  const columns = columnsOf(options)
  await requirePlaceForModel(options.out)
  const { runs, textColumns } = await blamingFile(options.data, async () => readRuns(await openRuns(options.data, options.format), columns))
  if (textColumns.length > 0) out.note(`Left out, as their first value is no number: ${textColumns.join(', ')}.`)
  const bar = out.progress('training')
  const rulOptions = {
    unitName: columns.unit.name,
    timeName: columns.time.name,
    cap: options.cap,
    seed: options.seed,
    onProgress: (share: number, what: string) => bar.update(share, what),
  }
  const trained = await blamingFile(options.data, () => withForestPool((fit) => trainRul(runs, rulOptions, fit))).finally(() => bar.end())
  for (const { sensor, why } of trained.dropped) out.note(`Left out: ${sensor || 'the column without a name'}, which ${why}.`)
  for (const { coverage, spreads } of trained.model.margins) {
    if (spreads === null)
      out.note(
        `Too few units for ${coverage * 100} % intervals: they will reach from 0 to the cap. ${UNITS_FOR_INTERVALS} units are enough for 90 %.`,
      )
  }
  const manifest = await writeModel(options.out, {
    manifest: await manifestOf(context, options, runs, trained),
    files: rulModelToFiles(trained.model),
  })
  const answer = {
    out: options.out,
    units: runs.units.length,
    rows: runs.times.length,
    regimes: trained.model.pipeline.regimes.centres.length,
    sensors: trained.model.pipeline.scales.map(({ sensor }) => sensor),
    dropped: trained.dropped.map(({ sensor }) => sensor),
    metrics: manifest.metrics,
  }
  out.answer(answer, () => describe(answer, trained, options))
}

function columnsOf({ format, unit, time, settings, features }: TrainRulOptions): RunColumns {
  const isCmapss = format === 'cmapss'
  const [unitName, timeName] = [unit ?? (isCmapss ? cmapssColumns.unit : undefined), time ?? (isCmapss ? cmapssColumns.time : undefined)]
  if (unitName === undefined || timeName === undefined) {
    const missing = [...(unitName === undefined ? ["'--unit <column>'"] : []), ...(timeName === undefined ? ["'--time <column>'"] : [])]
    throw new CommandFailure(`missing ${missing.join(', ')}: a CSV file may call them anything`, exitCodes.usage)
  }
  return {
    unit: flagged('--unit')(unitName),
    time: flagged('--time')(timeName),
    settings: (settings ?? (isCmapss ? cmapssColumns.settings : [])).map(flagged('--settings')),
    sensors: features?.map(flagged('--features')),
  }
}

async function manifestOf(context: Context, options: TrainRulOptions, runs: Runs, trained: TrainedRul): Promise<ManifestDraft> {
  const { model, split, heldOut, goldenRows } = trained
  const namesOf = (units: readonly number[]) => units.map((unit) => runs.units[unit]?.name ?? '')
  return {
    ...identityOf(options, DEFAULT_NAME, context.out),
    kind: 'rul',
    description: `Remaining life in the unit of "${model.timeName}", learned up to ${model.cap}, with intervals.`,
    features: trendFeatureNames(model.pipeline),
    outputs: [...rulOutputs],
    training_data: {
      sha256: await fileDigest(options.data),
      rows: runs.times.length,
      units: runs.units.length,
      description: options.description ?? `${runs.units.length} runs to failure.`,
    },
    metrics: { heldout_rmse: heldOut.rmse, heldout_mae: heldOut.mae, heldout_units: split.folds.flat().length, heldout_rows: heldOut.rows },
    calibration: {
      method: 'cross-conformal by unit, scores normalised by a learned spread, every calibration unit counting the same',
      cap: model.cap,
      intervals: model.margins,
      folds: split.folds.map((units) => namesOf(units)),
      scaling_units: namesOf(split.scaling),
    },
    seed: options.seed,
    created_at: createdAt(context.env['SOURCE_DATE_EPOCH'], context.now().getTime()),
    golden_rows: goldenRows.map(({ features, output }) => ({ features: [...features], output: [...output] })),
  }
}

type Answer = { readonly units: number; readonly rows: number; readonly regimes: number; readonly sensors: readonly string[] }

function describe({ units, rows, regimes, sensors }: Answer, { heldOut, split }: TrainedRul, { out }: TrainRulOptions): string {
  return [
    `${units} units, ${rows} rows, ${sensors.length} sensors, ${regimes} operating ${regimes === 1 ? 'regime' : 'regimes'}`,
    `off by ${heldOut.rmse.toFixed(2)} (RMSE), ${heldOut.mae.toFixed(2)} (mean) on ${split.folds.flat().length} units, each predicted by a forest that has not seen it`,
    `written to ${out}`,
  ].join('\n')
}
