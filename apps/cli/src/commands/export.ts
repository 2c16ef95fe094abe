import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ModelKind } from '@roadworthy/model-store/manifest'
import type { StoredModel } from '@roadworthy/model-store/read-model'
import { classifierModelFromFiles } from '@roadworthy/prognostics/learning/classifier/classifier-model'
import { classifierToOnnx } from '@roadworthy/prognostics/learning/classifier/classifier-to-onnx'
import { normalFromJson } from '@roadworthy/prognostics/learning/normal/normal-model'
import { normalToOnnx } from '@roadworthy/prognostics/learning/normal/normal-to-onnx'
import { ONNX_INPUT, ONNX_IR_VERSION, ONNX_ML_OPSET, ONNX_OPSET, type OnnxModelText } from '@roadworthy/prognostics/learning/onnx'
import { rulModelFromFiles } from '@roadworthy/prognostics/learning/rul/rul-model'
import { rulToOnnx } from '@roadworthy/prognostics/learning/rul/rul-to-onnx'
import type { Command } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { readOrFail } from '../learned-model.ts'
import { addExportOfReseller } from './export-reseller.ts'

type OnnxOptions = { model: string; out?: string }

export function addExport(program: Command, surroundings: Surroundings): void {
  const command = program
    .command('export')
    .description('write a reseller with everything of theirs into a new folder, for another installation, while the service runs')
  addExportOfReseller(command, surroundings)
  command
    .command('onnx')
    .description('write a trained model as ONNX: one input of features, an output for every number the model gives, missing values as NaN')
    .addOption(new RequiredOption('--model <dir>', 'a model directory, as "train" writes it'))
    .option('--out <file>', 'where to write it (default: NAME-VERSION.onnx, here)')
    .addHelpText('after', examples('npx roadworthy export onnx --model models/turbofan/1.0.0 --out turbofan.onnx'))
    .action(handle<OnnxOptions>(surroundings, exportOnnx))
}

type Writer = (files: StoredModel['files'], text: Omit<OnnxModelText, 'features'>) => Uint8Array

/** The feature rows go in; how they come from raw readings is the model's own affair, and not in the file. */
const writers: Readonly<Partial<Record<ModelKind, Writer>>> = {
  rul: (files, text) => rulToOnnx(rulModelFromFiles(files), text),
  normal: (files, text) => normalToOnnx(normalFromJson(readJson(files, 'normal.json')), text),
  classifier: (files, text) => classifierToOnnx(classifierModelFromFiles(files), text),
}

async function exportOnnx({ out, cwd }: Context, options: OnnxOptions): Promise<void> {
  const { manifest, files } = await readOrFail(options.model)
  const { name, version, kind, features, outputs } = manifest
  const write = writers[kind]
  if (write === undefined) {
    const why = kind === 'onnx' ? 'it is ONNX already' : `models of the kind "${kind}" have no ONNX form yet`
    throw new CommandFailure(`${options.model}: ${why}.`, exitCodes.usage)
  }
  const description = manifest.description ?? `${kind} model ${name} ${version}`
  const metadata = { name, version, kind, created_at: manifest.created_at, training_data_sha256: manifest.training_data.sha256 }
  const bytes = write(files, { name, description, metadata })
  const file = options.out ?? `${name}-${version}.onnx`
  try {
    await writeFile(resolve(cwd, file), bytes)
  } catch (error) {
    throw new CommandFailure(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`, exitCodes.failed, error)
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const versions = { ir_version: ONNX_IR_VERSION, opset: ONNX_OPSET, opset_ml: ONNX_ML_OPSET }
  const answer = {
    file,
    bytes: bytes.length,
    sha256,
    name,
    version,
    kind,
    input: ONNX_INPUT,
    features,
    outputs: outputs ?? [],
    ...versions,
  }
  const size = `${bytes.length} bytes, opset ${ONNX_OPSET} and ai.onnx.ml ${ONNX_ML_OPSET}`
  out.answer(answer, () => `${file}: ${size}\n${features.length} features in, ${(outputs ?? []).join(', ') || 'its outputs'} out`)
}

function readJson(files: StoredModel['files'], name: string): unknown {
  const bytes = files.get(name)
  if (bytes === undefined) throw new CommandFailure(`The model has no ${name}.`)
  return JSON.parse(new TextDecoder().decode(bytes))
}
