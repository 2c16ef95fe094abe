// What the commands that train and evaluate share: where a model is put, how it is read, and whose fault it is when data are refused.
import { checkGoldenRows } from '@roadworthy/model-store/golden-rows'
import type { ModelKind } from '@roadworthy/model-store/manifest'
import { ModelError } from '@roadworthy/model-store/model-error'
import { readModel, type StoredModel } from '@roadworthy/model-store/read-model'
import { LearningRefusal } from '@roadworthy/prognostics/learning/learning-refusal'
import type { Command, Option as FlagOption } from 'commander'
import { Option } from 'commander'
import { integerFrom, RequiredOption } from './command.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { addIdentityOptions } from './model-identity.ts'

export type TrainOptions = { data: string; out: string; name?: string; modelVersion?: string; description?: string; seed: number }

const MAX_SEED = 2 ** 31 - 1

/** The flags that every kind of training has. */
export function addTrainOptions(command: Command, defaultName: string): Command {
  command.addOption(new RequiredOption('--out <dir>', 'folder of the model; one that is there is replaced'))
  return addIdentityOptions(command, defaultName)
    .option('--description <text>', 'what it was trained on, for the manifest')
    .option('--seed <n>', 'the same seed gives the same bytes', integerFrom(0, MAX_SEED), 1)
}

/** An option that takes one of `choices`. */
export function choiceOption(flags: string, description: string, choices: readonly string[]): FlagOption {
  return new Option(flags, description).choices([...choices])
}

export function flagged(flag: string): (name: string) => { name: string; flag: string } {
  return (name) => ({ name, flag })
}

/** Reads and verifies a model, and that it answers as it did where it was trained. */
export async function loadModel<Model>(
  dir: string,
  kind: ModelKind,
  fromFiles: (files: ReadonlyMap<string, Uint8Array>) => Model,
  scoreRow: (model: Model, row: ArrayLike<number>) => number[],
): Promise<{ model: Model; stored: StoredModel }> {
  const stored = await readOrFail(dir)
  if (stored.manifest.kind !== kind) {
    throw new CommandFailure(`${dir} holds a model of kind ${stored.manifest.kind}; one of kind ${kind} is wanted.`, exitCodes.usage)
  }
  const model = fromFiles(stored.files)
  await checkGoldenRows(stored.manifest, (rows) => rows.map((row) => scoreRow(model, row)))
  return { model, stored }
}

/** Reads and verifies a model; one that is not there is not found, and one that is damaged has failed. */
export async function readOrFail(dir: string): Promise<StoredModel> {
  try {
    return await readModel(dir)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    throw new CommandFailure(error.message, error.code === 'model_missing' ? exitCodes.notFound : exitCodes.failed, error)
  }
}

/** What learning refuses is the data's fault, and reported as such. */
export async function blamingFile<Result>(path: string, run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof LearningRefusal)) throw error
    throw new CommandFailure(`${path}: ${error.message}`, exitCodes.usage, error)
  }
}

const SHOWN_DIGITS = 4

/** A table of a name and a number each. */
export function describeMetrics(metrics: Readonly<Record<string, number>>): string {
  const width = Math.max(...Object.keys(metrics).map((name) => name.length))
  return Object.entries(metrics)
    .map(([name, value]) => `${name.padEnd(width)}  ${Number.isInteger(value) ? value : value.toFixed(SHOWN_DIGITS)}`)
    .join('\n')
}
