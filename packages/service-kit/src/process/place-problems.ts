// Where the settings come from that a problem is about, for problems that are found after all settings have been read.

import type { SettingProblem, SettingSources } from './settings.ts'

/** Gives each problem the source of its setting, and names that of every other setting which its `fix` names and which has a value. */
export function placeProblems(problems: readonly SettingProblem[], sources: SettingSources): SettingProblem[] {
  return problems.map((problem) => {
    const { name, value, fix } = problem
    const mentioned = new Set(fix.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? [])
    mentioned.delete(name)
    const shown = [...(value === undefined ? [name] : []), ...mentioned]
    const places = shown.flatMap((each) => {
      const source = sources.get(each)
      return source === undefined ? [] : [` ${each} ${source === 'default' ? 'has its default' : `comes from ${inWords(source)}`}.`]
    })
    return { ...problem, source: sources.get(name) ?? problem.source, fix: `${fix}${places.join('')}` }
  })
}

function inWords(source: string): string {
  return source === 'environment' ? 'the environment' : source
}
