// What a key may do, as people choose it.

import type { Scope } from '@roadworthy/contracts/scopes'

type ScopeChoice = { readonly scope: Scope; readonly label: string }
type ScopeGroup = { readonly label: string; readonly choices: readonly ScopeChoice[] }

/** Each scope in plain words. A scope that is added has no words here, and the compiler says so. */
const meanings: Readonly<Record<Scope, string>> = {
  'sub_clients:read': 'Read sub-clients',
  'sub_clients:manage': 'Create and change sub-clients',
  'devices:read': 'Read devices',
  'devices:write': 'Register and change devices',
  'vehicles:read': 'Read vehicles, health and maintenance',
  'vehicles:write': 'Change vehicles and maintenance',
  predict: 'Predict; read and change alerts',
  'telemetry:read': 'Read readings',
  'telemetry:write': 'Send readings',
  'tracking:read': 'Read locations',
  'tracking:write': 'Send locations',
  'billing:read': 'Read usage, SIMs and invoices',
  'billing:write': 'Change SIMs, invoices and payments',
  'webhooks:manage': 'Manage webhooks',
}

const groupLabels: readonly (readonly [label: string, prefixes: readonly string[]])[] = [
  ['Fleet', ['sub_clients', 'devices', 'vehicles']],
  ['Data', ['telemetry', 'tracking', 'predict']],
  ['Business', ['billing', 'webhooks']],
]

const allScopes = Object.keys(meanings) as Scope[]

export const scopeGroups: readonly ScopeGroup[] = groupLabels.map(([label, prefixes]) => ({
  label,
  choices: allScopes.filter((scope) => prefixes.includes(scope.split(':')[0] ?? '')).map((scope) => ({ scope, label: meanings[scope] })),
}))

export const presets = ['read', 'ingest', 'full', 'custom'] as const
export type Preset = (typeof presets)[number]

export const presetLabels: Readonly<Record<Preset, string>> = {
  read: 'Read only',
  ingest: 'Device ingest',
  full: 'Full access',
  custom: 'Choose',
}

/** `predict` is not among those that read: it changes alerts too. */
export function scopesOfPreset(preset: Preset, chosen: readonly string[]): readonly string[] {
  if (preset === 'full') return ['*']
  if (preset === 'ingest') return ['telemetry:write', 'tracking:write']
  return preset === 'read' ? allScopes.filter((scope) => scope.endsWith(':read')) : chosen
}

/** `Full access`, or the scopes by name. */
export function scopesText(scopes: readonly string[]): string {
  return scopes.some((scope) => scope === '*' || scope === 'sandbox:*') ? 'Full access' : scopes.join(', ')
}
