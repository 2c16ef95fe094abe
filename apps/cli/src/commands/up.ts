// Only described here: `main.ts` hands the process over before the command line reads anything.

import type { Command } from 'commander'
import { examples } from '../command.ts'

export function addUp(program: Command): void {
  program
    .command('up')
    .description('start everything on this machine: the same as "npm start -- [flags]"; "up --help" lists the flags')
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', examples('npx roadworthy up', 'npx roadworthy up --no-demo --port 9000', 'npx roadworthy up --help'))
    .action(() => program.error('error: write "up" before its flags, as in: npx roadworthy up --data-dir .data --port 9000'))
}
