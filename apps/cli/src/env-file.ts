import { readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Environment } from '@roadworthy/service-kit/process/settings'
import { CommandFailure, exitCodes } from './failure.ts'

/** Of an environment file of systemd or Compose. */
const MAX_FILE_BYTES = 1024 ** 2

/** The environment of the service, as a file has it. Throws a `CommandFailure` that names the file. */
export function readEnvFile(file: string): Environment {
  try {
    if (statSync(file).size > MAX_FILE_BYTES) {
      throw new CommandFailure(`${file} has more than ${MAX_FILE_BYTES} bytes. Name a file of lines NAME=value.`, exitCodes.usage)
    }
    return parseEnv(readFileSync(file, 'utf8')) as Environment
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, exitCodes.usage, error)
  }
}
