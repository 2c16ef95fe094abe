import type { SubClientDeactivation } from '@roadworthy/contracts/platform-v1/sub-clients'
import { t } from '../text/translate.ts'

/** What deactivating does, in sentences. What there is none of is left out. */
export function deactivationLines({ devices, sims, vehicles, people }: SubClientDeactivation): string[] {
  const lines: readonly (readonly [count: number, line: string])[] = [
    [
      devices,
      t('{count, plural, one {# device leaves it and belongs to no sub-client.} other {# devices leave it and belong to no sub-client.}}', {
        count: devices,
      }),
    ],
    [sims, t('{count, plural, one {# SIM leaves it, within minutes.} other {# SIMs leave it, within minutes.}}', { count: sims })],
    [
      vehicles,
      t(
        '{count, plural, one {# vehicle stays with it and can be read, not changed.} other {# vehicles stay with it and can be read, not changed.}}',
        { count: vehicles },
      ),
    ],
    [
      people,
      t(
        '{count, plural, one {# person who sees only this sub-client can still read.} other {# people who see only this sub-client can still read.}}',
        { count: people },
      ),
    ],
  ]
  const effects = lines.filter(([count]) => count > 0).map(([, line]) => line)
  return effects.length > 0
    ? effects
    : [t('It has neither devices nor SIMs, vehicles or people. Its readings are refused and nothing of it can be changed.')]
}
