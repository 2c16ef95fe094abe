// What a trained model is called. Where models are served from, the folder names it: `<name>/<version>`.

import { basename, dirname, resolve } from 'node:path'
import type { Command } from 'commander'

export type ModelIdentity = { readonly name: string; readonly version: string }

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
/** Anything that begins like a version: `1`, `1.2.0`, `2026.11`. */
const VERSION = /^\d[A-Za-z0-9._+-]{0,63}$/
const FIRST_VERSION = '1.0.0'

export function addIdentityOptions(command: Command, defaultName: string): Command {
  return command
    .option('--name <name>', `name of the model (default: from --out models/<name>/<version>, else "${defaultName}")`)
    .option('--model-version <version>', `version of the model (default: from --out too, else "${FIRST_VERSION}")`)
}

export function identityOf(options: { out: string; name?: string; modelVersion?: string }, defaultName: string): ModelIdentity {
  const folder = resolve(options.out)
  const [name, version] = [basename(dirname(folder)), basename(folder)]
  const named = NAME.test(name) && VERSION.test(version) ? { name, version } : { name: defaultName, version: FIRST_VERSION }
  return { name: options.name ?? named.name, version: options.modelVersion ?? named.version }
}
