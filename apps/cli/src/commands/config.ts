import { resolve } from 'node:path'
import { EngineSettingsSchema, readInvocation as readEngine } from '@roadworthy/engine/settings'
import { PlatformSettingsSchema, readInvocation as readPlatform } from '@roadworthy/platform/main/settings/settings'
import { type InspectedSetting, inspectSettings } from '@roadworthy/service-kit/process/inspect-settings'
import type { Command } from 'commander'
import { type Context, examples, handle, type Surroundings } from '../command.ts'
import { readEnvFile } from '../env-file.ts'
import { CommandFailure } from '../failure.ts'
import { formatTable } from '../output.ts'
import { findUnknownSettings, NOT_SHOWN } from '../unknown-settings.ts'

type Options = { changed?: boolean; envFile?: string }

export function addConfig(program: Command, surroundings: Surroundings): void {
  program
    .command('config')
    .description('every setting with its value and where it comes from, without secrets; exit code 1 when the service would refuse them')
    .option('--changed', 'only those that are not at their default')
    .option('--env-file <file>', 'the environment of the service, as systemd and Compose read it, in place of this one')
    .addHelpText('after', examples('npx roadworthy config', 'npx roadworthy config --changed --json'))
    .action(handle<Options>(surroundings, config))
}

async function config(context: Context, options: Options): Promise<void> {
  const { cwd, out, instance } = context
  const env = options.envFile === undefined ? context.env : readEnvFile(resolve(cwd, options.envFile))
  // Named on the command line, or found beside it.
  const flags = env['DATA_DIR'] === undefined && instance.dataDir !== resolve(cwd, '.data') ? ['--data-dir', instance.dataDir] : []
  const platform = inspectSettings(PlatformSettingsSchema, flags, env)
  const engine = inspectSettings(EngineSettingsSchema, [], env).filter(({ name }) => !NOT_SHOWN.includes(name))
  // The engine's own default of a setting that both have is for an engine that is started alone.
  const all = [...platform, ...engine.filter(({ name }) => !platform.some((each) => each.name === name))]
  const shown = options.changed === true ? all.filter(({ source }) => source !== 'default') : all
  const unknown = findUnknownSettings(env)
  const problems = [problemsOf(readPlatform(flags, env)), problemsOf(readEngine([], env))].flat()
  const isOk = problems.length === 0
  const answer = {
    ok: isOk,
    settings: shown.map(({ name, value, source, from, isSecret, description }) => ({
      name,
      value,
      source,
      from,
      secret: isSecret,
      description,
    })),
    unknown: unknown.map(({ name, closest, fix }) => ({ name, closest: closest ?? null, fix })),
    problems: [...new Set(problems)],
  }
  out.answer(answer, () => formatTable(['setting', 'value', 'from'], shown.map(toRow)))
  for (const { name, fix } of unknown) out.note(`${name}: ${fix}`)
  for (const problem of answer.problems) out.note(problem)
  if (!isOk) throw new CommandFailure('The service would not start with these settings.')
}

function toRow({ name, value, source, from }: InspectedSetting): string[] {
  if (source === 'default') return [name, value ?? '', from === null ? 'default' : `default: ${from}`]
  return [name, value ?? '', source === 'environment' ? 'environment' : (from ?? source)]
}

type Invocation = { readonly kind: string; readonly text?: string; readonly exitCode?: number }

/** What the service itself reports. */
function problemsOf(invocation: Invocation): string[] {
  if (invocation.kind !== 'print' || invocation.exitCode === 0) return []
  return (invocation.text ?? '').split('\n').filter((line) => line.trim() !== '')
}
