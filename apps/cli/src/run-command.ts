import { CommanderError } from 'commander'
import type { Surroundings } from './command.ts'
import { describeFailure, exitCodes } from './failure.ts'
import { coloured, withoutForeignControls } from './output.ts'
import { createProgram } from './program.ts'
import { Stopped } from './stop-signals.ts'

/** Runs one command to its end; the exit code. */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<number> {
  // `roadworthy keys list | head -1` is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.ok)
    // What a command did is done, and a key that was made is shown by nothing else.
    report(`The answer cannot be written (${error.code}). What the command was to do is done.`)
    process.exit(exitCodes.failed)
  })
  try {
    const program = await createProgram(surroundings, args)
    await program.parseAsync(args, { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    // Commander has reported what was wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    if (error instanceof Stopped) return error.exitCode
    const { message, exitCode } = describeFailure(error)
    report(message)
    return exitCode
  }
}

function report(message: string): void {
  process.stderr.write(`${coloured('red', 'error:', process.stderr)} ${withoutForeignControls(message)}\n`)
}
