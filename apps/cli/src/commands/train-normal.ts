import { access, constants } from 'node:fs/promises'
import { basename } from 'node:path'
import { createdAt, type ManifestDraft } from '@roadworthy/model-store/manifest'
import { requirePlaceForModel, writeModel } from '@roadworthy/model-store/write-model'
import { DETECTED_FROM, learnedNormal } from '@roadworthy/prognostics/learning/normal/learned-normal'
import { addUp, countFalseAlarms, type FalseAlarms } from '@roadworthy/prognostics/learning/normal/measure-normal'
import { answerRow, type NormalModel, normalToJson, outputNames } from '@roadworthy/prognostics/learning/normal/normal-model'
import { situationFeatures } from '@roadworthy/prognostics/learning/normal/situation'
import { STRETCH_S } from '@roadworthy/prognostics/learning/normal/stretch-tail'
import {
  halved,
  type NormalReport,
  situationsOf,
  type TripSituations,
  trainNormal,
} from '@roadworthy/prognostics/learning/normal/train-normal'
import { isHeldBack } from '@roadworthy/simulator/recordings/held-back'
import { type RecordingFormat, recordingFormats } from '@roadworthy/simulator/recordings/open-recording'
import { type Command, Option } from 'commander'
import { type Context, examples, handle, integerFrom, numberFrom, RequiredOption, type Surroundings } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { addIdentityOptions, identityOf } from '../model-identity.ts'
import { digestOf, readTrip } from '../recorded-trips.ts'

type TrainNormalOptions = {
  data: string[]
  format?: RecordingFormat
  out: string
  name?: string
  modelVersion?: string
  description?: string
  holdBack: number
  seed: number
}

const MAX_SEED = 2 ** 31 - 1
/** About 150 MB. With more, every second one of every trip is left out, as often as it takes. */
const MAX_SITUATIONS = 400_000
const GOLDEN_ROWS = 8
const S_PER_HOUR = 3600
const DEFAULT_NAME = 'driving-normal'

export function addTrainNormal(train: Command, surroundings: Surroundings): void {
  const command = train
    .command('normal')
    .description('learn what is normal from recordings of sound trips: how coolant and voltage move, with a known false-alarm rate')
    .addOption(new RequiredOption('--data <files...>', 'recordings, one trip each, plain or gzip'))
    .addOption(new Option('--format <format>', 'what the files are (default: by the header of each)').choices([...recordingFormats]))
    .addOption(new RequiredOption('--out <dir>', 'folder of the model; one that is there is replaced'))
  addIdentityOptions(command, DEFAULT_NAME)
    .option('--description <text>', 'what it was trained on, for the manifest')
    .option('--hold-back <share>', 'share of the trips to leave out, by the hash of their names, and to measure on', numberFrom(0, 0.9), 0)
    .option('--seed <n>', 'the same seed gives the same bytes', integerFrom(0, MAX_SEED), 1)
    .addHelpText(
      'after',
      examples(
        'npx roadworthy train normal --data trips/*.csv --format csv --out models/our-vans/1.0.0',
        'npx roadworthy train normal --data recordings/*/*.csv.gz --hold-back 0.3 --out models/driving-normal/1.0.0 --json',
      ),
    )
    .action(handle<TrainNormalOptions>(surroundings, trainOnTrips))
}

async function trainOnTrips(context: Context, options: TrainNormalOptions): Promise<void> {
  await requirePlaceForModel(options.out)
  const files = [...new Set(options.data)].sort()
  for (const file of files) await requireReadable(file)
  const heldBack = files.filter((file) => isHeldBack(file, options.holdBack))
  const training = files.filter((file) => !heldBack.includes(file))
  const { trips, readings } = await readSituations(context, training, options)
  const bar = context.out.progress('training')
  const { model, report } = refusing(
    () =>
      trainNormal(trips, {
        seed: options.seed,
        onProgress: (done, total) => bar.update(done / total, `${done} of ${total} pairs of forests`),
      }),
    () => bar.end(),
  )
  const falseAlarms = heldBack.length === 0 ? undefined : await measure(context, model, heldBack, options)
  const metrics = metricsOf(report, falseAlarms)
  await writeModel(options.out, {
    manifest: await manifestOf(context, options, { model, trips, readings, training, metrics }),
    files: { 'normal.json': Buffer.from(`${JSON.stringify(normalToJson(model))}\n`) },
  })
  const result = { out: options.out, trips: trips.length, held_back_trips: heldBack.length, readings, ...metrics }
  context.out.answer(result, () =>
    Object.entries(result)
      .map(([key, value]) => `${key}: ${value}`)
      .join('\n'),
  )
}

/** One trip in memory at a time; of each only its situations are kept. */
async function readSituations(context: Context, files: readonly string[], { format }: TrainNormalOptions) {
  const bar = context.out.progress('reading')
  let trips: TripSituations[] = []
  let readings = 0
  for (const [index, file] of files.entries()) {
    const observations = await readTrip(file, format).catch((error: unknown) => {
      bar.end()
      throw error
    })
    readings += observations.length
    trips.push(situationsOf(basename(file), observations))
    while (trips.reduce((sum, { situations }) => sum + situations.length, 0) > MAX_SITUATIONS) trips = trips.map(halved)
    bar.update((index + 1) / files.length, `${index + 1} of ${files.length} trips`)
  }
  bar.end()
  return { trips, readings }
}

async function measure(
  context: Context,
  model: NormalModel,
  files: readonly string[],
  { format }: TrainNormalOptions,
): Promise<FalseAlarms> {
  const judge = learnedNormal(model)
  const bar = context.out.progress('measuring')
  const parts: FalseAlarms[] = []
  for (const [index, file] of files.entries()) {
    parts.push(countFalseAlarms(judge, await readTrip(file, format)))
    bar.update((index + 1) / files.length, `${index + 1} of ${files.length} trips held back`)
  }
  bar.end()
  return addUp(parts)
}

function metricsOf({ rows, channels }: NormalReport, falseAlarms: FalseAlarms | undefined): Record<string, number> {
  const metrics: Record<string, number> = {
    situations: rows,
    // By construction, over both signals together (Bonferroni).
    expected_false_alarm_share_of_stretches: rounded(1 - DETECTED_FROM),
    expected_false_alarms_per_engine_hour: rounded(((1 - DETECTED_FROM) * S_PER_HOUR) / STRETCH_S),
  }
  for (const { signal, stretches, coverage, meanWidth } of channels) {
    metrics[`${signal}_stretches`] = stretches
    metrics[`${signal}_coverage90`] = rounded(coverage)
    metrics[`${signal}_mean_width90`] = rounded(meanWidth)
  }
  if (falseAlarms === undefined || falseAlarms.readings === 0) return metrics
  const { readings, engineHours, detectedReadings, alarms } = falseAlarms
  return {
    ...metrics,
    measured_engine_hours: rounded(engineHours),
    measured_false_alarms_per_engine_hour: rounded(alarms / engineHours),
    measured_false_alarm_share_of_readings: rounded(detectedReadings / readings),
  }
}

type Trained = {
  readonly model: NormalModel
  readonly trips: readonly TripSituations[]
  readonly readings: number
  readonly training: readonly string[]
  readonly metrics: Record<string, number>
}

async function manifestOf(context: Context, options: TrainNormalOptions, trained: Trained): Promise<ManifestDraft> {
  const { model, trips, readings, training, metrics } = trained
  return {
    ...identityOf(options, DEFAULT_NAME, context.out),
    kind: 'normal',
    description: 'How coolant temperature and battery voltage of a running engine move within a minute, and how unusual a movement is.',
    features: [...situationFeatures],
    outputs: outputNames(model),
    training_data: {
      sha256: await digestOf(training),
      rows: readings,
      units: training.length,
      description: options.description ?? `${training.length} recorded trips.`,
    },
    metrics,
    calibration: {
      method: 'cross-conformal p-value over stretches of sound driving, in folds of whole trips',
      stretch_s: STRETCH_S,
      detected_from: DETECTED_FROM,
      stretches: Object.fromEntries(model.channels.map(({ signal, maxima }) => [signal, maxima.length])),
    },
    seed: options.seed,
    created_at: createdAt(context.env['SOURCE_DATE_EPOCH'], context.now().getTime()),
    golden_rows: goldenRows(model, trips),
  }
}

function goldenRows(model: NormalModel, trips: readonly TripSituations[]): ManifestDraft['golden_rows'] {
  const situations = trips.flatMap((trip) => trip.situations)
  return Array.from({ length: Math.min(GOLDEN_ROWS, situations.length) }, (_, part) => {
    const row = situations[Math.floor((part * situations.length) / GOLDEN_ROWS)]?.row ?? new Float64Array()
    return { features: Array.from(row, (value) => (Number.isNaN(value) ? null : value)), output: answerRow(model, row) }
  })
}

async function requireReadable(file: string): Promise<void> {
  try {
    await access(file, constants.R_OK)
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, exitCodes.usage, error)
  }
}

/** What the trainer refuses is the recordings' fault, and theirs who chose them. */
function refusing<Result>(run: () => Result, ended: () => void): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new CommandFailure(`These recordings cannot be learned from: ${error.message}.`, exitCodes.usage, error)
  } finally {
    ended()
  }
}

const rounded = (value: number) => Math.round(value * 1e6) / 1e6
