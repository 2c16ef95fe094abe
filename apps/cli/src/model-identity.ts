// What a trained model is called. Where models are served from, the folder names it: `<name>/<version>`.

import { basename, dirname, resolve } from 'node:path'
import { isModelName, isModelVersion } from '@roadworthy/model-store/manifest'
import { type Command, InvalidArgumentError } from 'commander'
import type { Output } from './output.ts'

export type ModelIdentity = { readonly name: string; readonly version: string }

/** Anything that begins like a version: `1`, `1.2.0`, `2026.11`, `v2`. */
const BEGINS_LIKE_A_VERSION = /^v?\d/
const FIRST_VERSION = '1.0.0'

export function addIdentityOptions(command: Command, defaultName: string): Command {
  return command
    .option('--name <name>', `name of the model (default: from --out models/<name>/<version>, else "${defaultName}")`, modelName)
    .option('--model-version <version>', `version of the model (default: from --out too, else "${FIRST_VERSION}")`, modelVersion)
}

function modelName(text: string): string {
  if (isModelName(text)) return text
  throw new InvalidArgumentError('A name of at most 64 letters, digits, - and _ is wanted.')
}

function modelVersion(text: string): string {
  if (isModelVersion(text)) return text
  throw new InvalidArgumentError('A version of at most 64 letters, digits, ., -, + and _ is wanted.')
}

/** Notes where the folder is none that an engine serves this model from. */
export function identityOf(
  options: { out: string; name?: string; modelVersion?: string },
  defaultName: string,
  out: Pick<Output, 'note'>,
): ModelIdentity {
  const folder = resolve(options.out)
  const [name, version] = [basename(dirname(folder)), basename(folder)]
  const isNaming = isModelName(name) && BEGINS_LIKE_A_VERSION.test(version) && isModelVersion(version)
  const named = isNaming ? { name, version } : { name: defaultName, version: FIRST_VERSION }
  const identity = { name: options.name ?? named.name, version: options.modelVersion ?? named.version }
  if (identity.name !== name || identity.version !== version) {
    out.note(
      `The model is called ${identity.name} ${identity.version}. An engine serves it from <folder of models>/${identity.name}/${identity.version} only, which ${options.out} is not.`,
    )
  }
  return identity
}
