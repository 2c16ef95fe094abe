// Settings of an engine that runs elsewhere.

import type { SettingProblem } from '@roadworthy/service-kit/process/settings'
import { Type } from 'typebox'

/** Part of the platform's settings. */
export const engineSettings = {
  engineUrl: Type.Optional(
    Type.String({
      pattern: '^https?://[^/]+',
      description: 'An ML engine that runs elsewhere; the platform then starts none.',
      defaultText: 'an engine of its own on ENGINE_PORT',
      example: 'http://engine:8090',
    }),
  ),
  engineKey: Type.Optional(
    Type.String({
      pattern: '^[!-~]+$',
      maxLength: 512,
      secret: true,
      description:
        'Sent to ENGINE_URL as "Authorization: Bearer …", for a proxy in front of the engine that asks for it. The engine itself asks for no key.',
      defaultText: 'none',
      example: '(printable ASCII without spaces)',
    }),
  ),
}

export function findEngineContradictions(engineUrl: string | undefined, hasKey: boolean): SettingProblem[] {
  if (!hasKey || engineUrl !== undefined) return []
  const fix = 'ENGINE_KEY is set, which is for a proxy in front of an engine that runs elsewhere. Name that engine, or leave the key out.'
  return [{ name: 'ENGINE_URL', value: undefined, source: 'settings', fix }]
}
