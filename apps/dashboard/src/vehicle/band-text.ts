import type { NormalBand } from '@roadworthy/signals/normal-bands'
import type { SignalName } from '@roadworthy/signals/registry'
import { signalValue } from '../text/signal-value.ts'
import { t } from '../text/translate.ts'

const conditions: Readonly<Record<NonNullable<NormalBand['when']>, string>> = {
  'engine warm': t('engine warm'),
  'engine running': t('engine running'),
  'diesel engine running': t('diesel engine running'),
}

/** `normal 77 °C to 102 °C, engine warm`, `normal up to 120 °C`. */
export function bandText(signal: SignalName, { min, max, when }: NormalBand): string {
  const limits = limitsText(
    min === undefined ? undefined : signalValue(signal, min),
    max === undefined ? undefined : signalValue(signal, max),
  )
  return when === undefined ? limits : `${limits}, ${conditions[when]}`
}

function limitsText(low: string | undefined, high = ''): string {
  if (low === undefined) return t('normal up to {high}', { high })
  return high === '' ? t('normal from {low}', { low }) : t('normal {low} to {high}', { low, high })
}
