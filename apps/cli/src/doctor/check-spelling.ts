import type { Environment } from '@roadworthy/service-kit/process/settings'
import { type Finding, warning } from '../finding.ts'
import { findUnknownSettings } from '../unknown-settings.ts'

/** Nothing where every variable that looks like a setting is one. */
export function checkSpelling(env: Environment): Finding[] {
  const unknown = findUnknownSettings(env)
  if (unknown.length === 0) return []
  return [
    warning('unknown settings', {
      detail: unknown.map(({ name, fix }) => `${name}: ${fix}`).join(' '),
      why: 'The service reads no such variable, and goes by its default.',
      fix: 'Correct the name, or take the variable away. .env.example has every setting.',
    }),
  ]
}
