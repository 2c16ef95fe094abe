// Every setting that there is: of the platform, of the engine, and of the command line itself. What looks like one in the environment and is none.

import { EngineSettingsSchema } from '@roadworthy/engine/settings'
import { PlatformSettingsSchema } from '@roadworthy/platform/main/settings/settings'
import { findUnknown, type UnknownSetting } from '@roadworthy/service-kit/process/inspect-settings'
import { type Environment, listProperties } from '@roadworthy/service-kit/process/settings'

/** The engine's own, and not a person's to set. */
export const NOT_SHOWN = ['EXIT_WITH_PARENT']
/** Of the command line itself, and of the programs it starts. */
const OWN_NAMES = ['ROADWORTHY_BASE_URL', 'SOURCE_DATE_EPOCH']
const OWN_SECRETS = ['ROADWORTHY_API_KEY', 'BACKUP_PASSPHRASE']

export function findUnknownSettings(env: Environment): UnknownSetting[] {
  const all = [PlatformSettingsSchema, EngineSettingsSchema].flatMap((schema) => listProperties(schema))
  const secrets = all.filter(({ schema }) => schema.secret === true).map((property) => property.env)
  const names = new Set([...all.map((property) => property.env), ...NOT_SHOWN, ...OWN_NAMES, ...OWN_SECRETS])
  return findUnknown(env, [...names], [...new Set([...secrets, ...OWN_SECRETS])])
}
