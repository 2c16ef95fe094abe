// What is sent of a connection to somebody else's platform. Secrets come from a file, from stdin or from the environment: arguments are seen by
// everybody who lists the processes of the machine, and stay in the history of the shell.

import type { Environment } from '@roadworthy/service-kit/process/settings'
import { Option } from 'commander'
import { CommandFailure, exitCodes } from './failure.ts'
import { readDocument } from './signed-document.ts'

export type ConnectionOptions = { readonly file?: string; readonly credential?: readonly CredentialSource[] }
/** A credential, and the variable of the environment that holds it. */
export type CredentialSource = { readonly name: string; readonly variable: string }

export function credentialOption(): Option {
  return new Option(
    '--credential <name=VARIABLE>',
    'a credential that is not in the file, from this variable of the environment; repeatable',
  )
    .argParser(credentialSource)
    .default([], 'none')
}

/** Not an error of commander's: those quote what was given, which by mistake may be the secret itself. */
function credentialSource(text: string, before: readonly CredentialSource[]): CredentialSource[] {
  const [, name, variable] = /^([a-z_]{1,100})=([A-Za-z_]\w{0,200})$/.exec(text) ?? []
  if (name !== undefined && variable !== undefined) return [...before, { name, variable }]
  throw new CommandFailure(
    'Of --credential a name and a variable of the environment are wanted, such as api_key=CISCO_API_KEY.',
    exitCodes.usage,
  )
}

/** The file's content with the credentials of the environment in it. */
export async function readConnection(env: Environment, { file, credential = [] }: ConnectionOptions): Promise<object> {
  if (file === undefined && credential.length === 0) throw new CommandFailure('Give --file, --credential, or both.', exitCodes.usage)
  const given = file === undefined ? {} : await readDocument(file)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new CommandFailure(`${file} is no JSON object.`, exitCodes.usage)
  if (credential.length === 0) return given
  const inFile = (given as { credentials?: unknown }).credentials
  const fromEnv = Object.fromEntries(credential.map(({ name, variable }) => [name, requireVariable(env, name, variable)]))
  return { ...given, credentials: { ...(typeof inFile === 'object' ? inFile : {}), ...fromEnv } }
}

function requireVariable(env: Environment, name: string, variable: string): string {
  const value = env[variable]
  if (value !== undefined && value !== '') return value
  throw new CommandFailure(`The environment has no such variable as --credential names for "${name}".`, exitCodes.usage)
}
