// Only described here: `main.ts` hands the process over before the command line reads anything.

import type { Command } from 'commander'
import { examples } from '../command.ts'

export function addEngine(program: Command): void {
  program
    .command('engine')
    .description('run the ML engine alone, without platform, database or dashboard; "engine --help" lists its flags')
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText(
      'after',
      examples(
        'npx roadworthy engine --port 8090',
        'npx roadworthy engine --models-dir ./models --edition byol',
        'npx roadworthy engine --help',
      ),
    )
    .action(() => program.error('error: write "engine" before everything else, as in: npx roadworthy engine --port 8090'))
}
