import { t } from '../text/translate.ts'

/** `2 h 5 min`. */
export function durationText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return t('less than a minute')
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return t('{minutes} min', { minutes })
  return t('{hours} h {minutes} min', { hours, minutes: minutes % 60 })
}
