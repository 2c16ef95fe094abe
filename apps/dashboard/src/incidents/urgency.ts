import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'

const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** By when something is to be done, in a few words. Undefined where nothing is advised. */
export function urgencyOf({ advice, status }: Pick<Incident, 'advice' | 'status'>): string | undefined {
  if (advice === null || status === 'resolved') return undefined
  const { act, by } = advice
  const day = by === undefined ? '' : ` by ${shortDay.format(new Date(by))}`
  return { stop: 'Stop driving', now: 'To a workshop now', plan: `Plan${day}`, next_service: `Next service${day}`, run_on: 'Runs on' }[act]
}
