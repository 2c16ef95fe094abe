import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { CommandFailure, exitCodes } from './failure.ts'

/** Writes the whole file or leaves what was there. It is readable by its owner only: for secrets. Throws a `CommandFailure` that names it. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.new`
  try {
    const file = openSync(draft, 'wx', 0o600)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new CommandFailure(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`, exitCodes.failed, error)
  }
}
