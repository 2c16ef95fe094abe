import { type Environment, readSecretFile } from '@roadworthy/service-kit/process/settings'
import { CommandFailure, exitCodes } from './failure.ts'

/** A secret of the command line's own, from a variable or from the file that `<NAME>_FILE` names. Undefined: neither is set. */
export function secretOf(env: Environment, name: string): string | undefined {
  const direct = env[name] || undefined
  const file = env[`${name}_FILE`] || undefined
  if (file === undefined) return direct
  if (direct !== undefined) throw new CommandFailure(`${name} and ${name}_FILE are both set; keep one of the two.`, exitCodes.usage)
  const read = readSecretFile(file)
  if ('text' in read) return read.text
  throw new CommandFailure(`${name}_FILE is ${JSON.stringify(file)}: ${read.fix}`, exitCodes.usage)
}
