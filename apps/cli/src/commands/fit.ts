import { createdAt } from '@roadworthy/model-store/manifest'
import { requirePlaceForModel, writeModel } from '@roadworthy/model-store/write-model'
import { componentLabels } from '@roadworthy/prognostics/components'
import {
  fleetLifeOf,
  fleetLifeToFiles,
  goldenLifeRows,
  type LifeUnit,
  lifeFeatures,
  lifeOutputs,
  lifeUnits,
  timesAssumed,
} from '@roadworthy/prognostics/learning/life/fleet-life'
import { fitWeibull, type Lives, type WeibullFit } from '@roadworthy/prognostics/learning/weibull-fit'
import { type LifeComponent, lifeComponents } from '@roadworthy/prognostics/lives/life-models'
import { residualQuantile } from '@roadworthy/prognostics/lives/weibull'
import type { Command } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { type CsvRow, type CsvTable, cellFailure, columnAt, csvFailure, fieldOf, openCsv, requireNumber } from '../csv.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { fileDigest } from '../file-digest.ts'
import { blamingFile, choiceOption } from '../learned-model.ts'
import { addIdentityOptions, identityOf } from '../model-identity.ts'
import { formatTable } from '../output.ts'

type LifeOptions = {
  data: string
  time: string
  event: string
  count?: string
  component?: LifeComponent
  unit?: LifeUnit
  out?: string
  name?: string
  modelVersion?: string
  description?: string
}

/** Some 100 MB of memory. */
const MAX_LIVES = 5_000_000
const COUNT_COLUMN = 'count'
const DEFAULT_NAME = 'life'

const FAILED = ['1', 'true', 'yes', 'y', 'failed', 'failure', 'fail', 'f', 'event', 'dead'] as const
const RUNNING = ['0', 'false', 'no', 'n', 'censored', 'c', 'suspended', 's', 'running', 'survived', 'alive'] as const
const failedWords = new Set<string>(FAILED)
const runningWords = new Set<string>(RUNNING)

export function addFit(program: Command, surroundings: Surroundings): void {
  const fit = program.command('fit').description('fit life models to what has been observed')
  const command = fit
    .command('life')
    .description('fit a Weibull life by maximum likelihood, from a CSV file of lives, plain or gzip; what still runs counts too')
    .addOption(new RequiredOption('--data <file>', 'the lives, one a row, with a header'))
    .addOption(new RequiredOption('--time <column>', 'age at failure, or at the last look at what still runs; any unit, above 0'))
    .addOption(new RequiredOption('--event <column>', `whether it failed then (${FAILED.join(', ')}) or not (${RUNNING.join(', ')})`))
    .option('--count <column>', `how many such lives a row stands for (default: the column "${COUNT_COLUMN}", where there is one)`)
    .option('--out <dir>', 'folder of a model that the engine serves in place of what it assumes; one that is there is replaced')
    .addOption(choiceOption('--component <component>', 'with --out: the component whose life it is', lifeComponents))
    .addOption(choiceOption('--unit <unit>', 'with --out: what --time counts', lifeUnits))
  addIdentityOptions(command, DEFAULT_NAME)
    .option('--description <text>', 'with --out: whose lives these are, for the manifest')
    .addHelpText(
      'after',
      examples(
        'npx roadworthy fit life --data lives.csv --time hours --event failed',
        'npx roadworthy fit life --data lives.csv --time hours --event failed --json',
        'npx roadworthy fit life --data brakes.csv --time km --event failed --component brakes --unit km --out models/brakes-life/1.0.0',
      ),
    )
    .action(handle<LifeOptions>(surroundings, fitLife))
}

async function fitLife(context: Context, options: LifeOptions): Promise<void> {
  const { out } = context
  const place = placeOf(options)
  if (place !== undefined) await requirePlaceForModel(place.out)
  const table = await openCsv(options.data)
  const count = options.count ?? table.columns.find((name) => name.toLowerCase() === COUNT_COLUMN)
  if (count !== undefined && options.count === undefined) out.note(`Each row counts as often as its column "${count}" states.`)
  const lives = await readLives(table, options, count)
  const fit = fitOrFail(options.data, lives)
  if (place !== undefined) {
    await writeLife(context, options, place, { fit, rows: lives.times.length })
    out.note(`The life of ${place.component} is written to ${place.out}.`)
  }
  out.answer(answerOf(fit), () => describe(fit, options.time))
}

function answerOf(fit: WeibullFit) {
  const { shape, scale, logLikelihood, lifeCount, failureCount, shapeSe, scaleSe } = fit
  return { beta: shape, eta: scale, loglik: logLikelihood, n: lifeCount, events: failureCount, beta_se: shapeSe, eta_se: scaleSe }
}

type ModelPlace = { readonly component: LifeComponent; readonly unit: LifeUnit; readonly out: string }

/** All of it or none: a fit without a component or a unit is no model. */
function placeOf({ component, unit, out }: LifeOptions): ModelPlace | undefined {
  if (component !== undefined && unit !== undefined && out !== undefined) return { component, unit, out }
  const given = { '--out <dir>': out, '--component <component>': component, '--unit <unit>': unit }
  const missing = Object.entries(given).filter(([, value]) => value === undefined)
  if (missing.length === Object.keys(given).length) return undefined
  throw new CommandFailure(`missing ${missing.map(([flags]) => `'${flags}'`).join(', ')}: a model needs all three`, exitCodes.usage)
}

type Fitted = { readonly fit: WeibullFit; readonly rows: number }

/** Assumption: fleets differ by less, and a wrong unit makes more: hours for days are 24, metres for km 1,000 times too long. */
const DOUBTED_FROM_TIMES = 10

async function writeLife(context: Context, options: LifeOptions, place: ModelPlace, { fit, rows }: Fitted): Promise<void> {
  const { component, unit, out } = place
  const life = await blamingFile(options.data, () => fleetLifeOf(component, unit, fit))
  const times = timesAssumed(life) ?? 1
  if (Math.max(times, 1 / times) >= DOUBTED_FROM_TIMES) {
    const rounded = Number(Math.max(times, 1 / times).toPrecision(2))
    context.out.note(
      `These lives (${componentLabels[component]}) are ${times > 1 ? `${rounded} times` : `1/${rounded}`} as long as is assumed of any fleet. Check that "${options.time}" counts ${unit} (--unit).`,
    )
  }
  await writeModel(out, {
    manifest: {
      ...identityOf({ ...options, out }, DEFAULT_NAME, context.out),
      kind: 'life',
      description: `How many ${unit} the ${componentLabels[component]} of this fleet lasts, in place of what is assumed of any.`,
      features: [...lifeFeatures],
      outputs: [...lifeOutputs],
      training_data: {
        sha256: await fileDigest(options.data),
        rows,
        units: Math.round(fit.lifeCount),
        description: options.description ?? `${fit.lifeCount} lives, ${fit.failureCount} of which ended in failure.`,
      },
      metrics: answerOf(fit),
      calibration: {
        component,
        unit,
        method:
          'Weibull maximum likelihood, right-censored; predictions follow the foretold life, its shape corrected for bias and for the standard errors',
        foretold: { beta: life.foretold.shape, eta: life.foretold.scale },
      },
      seed: 0,
      created_at: createdAt(context.env['SOURCE_DATE_EPOCH'], context.now().getTime()),
      golden_rows: goldenLifeRows(life),
    },
    files: fleetLifeToFiles(life),
  })
}

async function readLives(table: CsvTable, { time, event }: LifeOptions, count: string | undefined): Promise<Lives> {
  const timeAt = columnAt(table, time, '--time')
  const eventAt = columnAt(table, event, '--event')
  const countAt = count === undefined ? undefined : columnAt(table, count, '--count')
  const [times, isFailed, counts]: [number[], number[], number[]] = [[], [], []]
  for await (const row of table.rows) {
    if (times.length === MAX_LIVES)
      throw csvFailure(table.path, `there are more than ${MAX_LIVES} rows; give like lives as one, with --count`)
    const age = requireNumber(table, row, timeAt)
    if (age <= 0) throw cellFailure(table, row, timeAt, 'is no life: it must be above 0')
    times.push(age)
    isFailed.push(outcomeOf(table, row, eventAt))
    if (countAt !== undefined) counts.push(countOf(table, row, countAt))
  }
  const lives = { times: Float64Array.from(times), isFailed: Uint8Array.from(isFailed) }
  return countAt === undefined ? lives : { ...lives, counts: Float64Array.from(counts) }
}

function outcomeOf(table: CsvTable, row: CsvRow, column: number): 0 | 1 {
  const word = fieldOf(row, column).toLowerCase()
  if (failedWords.has(word)) return 1
  if (runningWords.has(word)) return 0
  throw cellFailure(table, row, column, `${word === '' ? 'is empty: it ' : ''}should be whether it failed: ${FAILED[0]} or ${RUNNING[0]}`)
}

function countOf(table: CsvTable, row: CsvRow, column: number): number {
  const count = requireNumber(table, row, column)
  if (count < 0) throw cellFailure(table, row, column, 'is no count: it must be 0 or more')
  return count
}

function fitOrFail(path: string, lives: Lives): WeibullFit {
  try {
    return fitWeibull(lives)
  } catch (error) {
    if (error instanceof RangeError) throw csvFailure(path, error.message, error)
    throw error
  }
}

/** Of the ages shown beside the fit: the shares that will have failed by then. */
const TOLD_SHARES = [0.1, 0.5, 0.9] as const
/** Below and above this shape, by two standard errors, wear is distinguished from early failure. */
const CONSTANT_HAZARD_SHAPE = 1

function describe(fit: WeibullFit, time: string): string {
  const rounded = (value: number) => String(Number(value.toPrecision(4)))
  const rows = [
    ['shape beta', rounded(fit.shape), rounded(fit.shapeSe), ageing(fit)],
    ['scale eta', rounded(fit.scale), rounded(fit.scaleSe), `${time} by which 63 % have failed`],
    ...TOLD_SHARES.map((share) => [
      `B${share * 100} life`,
      rounded(residualQuantile(fit, 0, 0, 0, share)),
      '',
      `${time} by which ${share * 100} % have failed`,
    ]),
  ]
  const lives = `${fit.lifeCount} lives, ${fit.failureCount} of them ended in failure; log likelihood ${rounded(fit.logLikelihood)}`
  return `${formatTable(['', 'ESTIMATE', 'STD ERROR', ''], rows)}\n\n${lives}`
}

function ageing({ shape, shapeSe }: WeibullFit): string {
  if (shape - 2 * shapeSe > CONSTANT_HAZARD_SHAPE) return 'wears out: fails more readily with age'
  if (shape + 2 * shapeSe < CONSTANT_HAZARD_SHAPE) return 'early failures: the older, the safer'
  return 'no clear ageing: could be chance at any age'
}
