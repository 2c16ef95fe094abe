// What a key may do, as people choose it.

import type { Scope } from '@roadworthy/contracts/scopes'
import { t } from '../text/translate.ts'

type ScopeChoice = { readonly scope: Scope; readonly label: string }
type ScopeGroup = { readonly label: string; readonly choices: readonly ScopeChoice[] }

/** Each scope in plain words. A scope that is added has no words here, and the compiler reports it. */
const meanings: Readonly<Record<Scope, string>> = {
  'sub_clients:read': t('Read sub-clients'),
  'sub_clients:manage': t('Create and change sub-clients'),
  'devices:read': t('Read devices'),
  'devices:write': t('Register and change devices'),
  'vehicles:read': t('Read vehicles, health and maintenance'),
  'vehicles:write': t('Change vehicles and maintenance'),
  predict: t('Predict; read and change alerts'),
  'telemetry:read': t('Read readings'),
  'telemetry:write': t('Send readings'),
  'tracking:read': t('Read locations'),
  'tracking:write': t('Send locations'),
  'billing:read': t('Read usage, SIMs and invoices'),
  'billing:write': t('Change SIMs, invoices and payments'),
  'webhooks:manage': t('Manage webhooks'),
}

const groupLabels: readonly (readonly [label: string, prefixes: readonly string[]])[] = [
  [t('Fleet'), ['sub_clients', 'devices', 'vehicles']],
  [t('Data'), ['telemetry', 'tracking', 'predict']],
  [t('Business'), ['billing', 'webhooks']],
]

const allScopes = Object.keys(meanings) as Scope[]

export const scopeGroups: readonly ScopeGroup[] = groupLabels.map(([label, prefixes]) => ({
  label,
  choices: allScopes.filter((scope) => prefixes.includes(scope.split(':')[0] ?? '')).map((scope) => ({ scope, label: meanings[scope] })),
}))

export const presets = ['read', 'ingest', 'full', 'custom'] as const
export type Preset = (typeof presets)[number]

export const presetLabels: Readonly<Record<Preset, string>> = {
  read: t('Read only'),
  ingest: t('Device ingest'),
  full: t('Full access'),
  custom: t('Choose'),
}

/** `predict` is not among those that read: it changes alerts too. */
export function scopesOfPreset(preset: Preset, chosen: readonly string[]): readonly string[] {
  if (preset === 'full') return ['*']
  if (preset === 'ingest') return ['telemetry:write', 'tracking:write']
  return preset === 'read' ? allScopes.filter((scope) => scope.endsWith(':read')) : chosen
}

/** `Full access`, or the scopes by name. */
export function scopesText(scopes: readonly string[]): string {
  return scopes.some((scope) => scope === '*' || scope === 'sandbox:*') ? t('Full access') : scopes.join(', ')
}
