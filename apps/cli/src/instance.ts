// Which Roadworthy a command speaks to: the one whose `credentials.json` is in the data folder, or the one named by address and key.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Credentials, credentialsPath, readCredentials } from '@roadworthy/platform/main/credentials'
import { CommandFailure, exitCodes, NothingThere } from './failure.ts'

const CHECKOUT = resolve(import.meta.dirname, '../../..')
const DATA_DIR = '.data'

export type InstanceOptions = {
  readonly dataDir?: string | undefined
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
}

export type Instance = {
  /** An absolute path. It need not exist. */
  readonly dataDir: string
  /** What the instance wrote there, if anything. */
  readonly credentials: Credentials | undefined
  /** Named by an address that is not the data folder's own. */
  readonly isElsewhere: boolean
  baseUrl(): string
  apiKey(): string
  engineUrl(given: string | undefined): string
  mqttUrl(given: string | undefined): string | undefined
}

export function findInstance(options: InstanceOptions, cwd: string): Instance {
  const dataDir = chooseDataDir(options.dataDir, cwd)
  const credentials = readIfAllowed(dataDir)
  const isElsewhere = options.baseUrl !== undefined && options.baseUrl !== credentials?.base_url
  const nothingFound = (option: string) =>
    new NothingThere(
      `There is no ${credentialsPath(dataDir)}. Start Roadworthy there ("npx roadworthy up"), name its folder with --data-dir, or give ${option}.`,
      exitCodes.failed,
    )
  return {
    dataDir,
    credentials,
    isElsewhere,
    baseUrl() {
      if (options.baseUrl === undefined && credentials === undefined) throw nothingFound('--base-url and --api-key')
      return (options.baseUrl ?? credentials?.base_url ?? '').replace(/\/+$/, '')
    },
    apiKey() {
      if (options.apiKey !== undefined) return options.apiKey
      // The key of this folder is never sent to an address that is not its own.
      if (isElsewhere || credentials === undefined) {
        throw new CommandFailure('An API key is needed: set ROADWORTHY_API_KEY, or give --api-key.', exitCodes.notAllowed)
      }
      if (credentials.api_key !== null) return credentials.api_key
      const hint = 'Make one with "npx roadworthy keys create" and set ROADWORTHY_API_KEY.'
      throw new CommandFailure(`${credentialsPath(dataDir)} holds no API key; an earlier start showed it. ${hint}`, exitCodes.notAllowed)
    },
    engineUrl(given) {
      const url = given ?? (isElsewhere ? undefined : credentials?.engine_url)
      if (url === undefined) throw nothingFound('--engine-url')
      return url.replace(/\/+$/, '')
    },
    mqttUrl: (given) => given ?? (isElsewhere ? undefined : credentials?.mqtt_url),
  }
}

/** `.data` is where `npm start` keeps things: in the current folder, else in this checkout. */
function chooseDataDir(given: string | undefined, cwd: string): string {
  if (given !== undefined) return resolve(cwd, given)
  const here = resolve(cwd, DATA_DIR)
  const inCheckout = join(CHECKOUT, DATA_DIR)
  return !existsSync(here) && existsSync(inCheckout) ? inCheckout : here
}

function readIfAllowed(dataDir: string): Credentials | undefined {
  try {
    return readCredentials(dataDir)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const fix = 'Run this as the user who runs Roadworthy, or give --base-url and --api-key.'
    throw new CommandFailure(`${credentialsPath(dataDir)} cannot be read (${code}). ${fix}`, exitCodes.notAllowed, error)
  }
}
