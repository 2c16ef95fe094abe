// A rule in plain words, as one would say it. Pure.

import type { NotificationRule } from '@roadworthy/contracts/platform-v1/notifications'
import { componentWords } from '../health/component-name.ts'
import { language } from '../text/preferences.ts'
import { t } from '../text/translate.ts'

/** What ids are called. */
export type Names = ReadonlyMap<string, string>

type Severity = NotificationRule['minSeverity']

export const aboutTexts: Readonly<Record<Severity, string>> = {
  info: t('Every incident'),
  low: t('Low incidents and worse'),
  medium: t('Medium incidents and worse'),
  high: t('High incidents and worse'),
  critical: t('Critical incidents'),
}

/** From Monday as 1. */
export const dayNames: readonly string[] = [t('Mon'), t('Tue'), t('Wed'), t('Thu'), t('Fri'), t('Sat'), t('Sun')]

/** Without recipients and escalation: as one person sees a rule that reaches them, `afterMinutes` after others. */
type SaidRule = Omit<NotificationRule, 'recipients' | 'escalation'> &
  Partial<Pick<NotificationRule, 'recipients' | 'escalation'>> & { readonly afterMinutes?: number | null }

/** What it is about and for whom. */
export function ruleSummary(rule: SaidRule, names: Names): string {
  const { minSeverity, subClientId, components, recipients } = rule
  const about = [
    aboutTexts[minSeverity],
    ...(subClientId === null ? [] : [t('of {subClient}', { subClient: names.get(subClientId) ?? subClientId })]),
    ...vehicleTexts(rule, names),
    ...(components === null ? [] : [t('about {components}', { components: listOf(components.map(componentWords)) })]),
    ...(recipients === undefined ? [] : [t('to {names}', { names: namesOf(recipients, names) })]),
  ]
  return `${about.join(', ')}.`
}

function vehicleTexts({ vehicleIds, vehicleGroupIds }: SaidRule, names: Names): string[] {
  if (vehicleIds === null && vehicleGroupIds === null) return [t('of all vehicles')]
  return [
    ...(vehicleIds === null ? [] : [t('of {count, plural, one {# vehicle} other {# vehicles}}', { count: vehicleIds.length })]),
    ...(vehicleGroupIds === null
      ? []
      : [
          t('of {count, plural, one {the group} other {the groups}} {names}', {
            count: vehicleGroupIds.length,
            names: namesOf(vehicleGroupIds, names),
          }),
        ]),
  ]
}

/** When it sends, again and to whom else. */
export function ruleTimes(rule: SaidRule, names: Names): string {
  const { workingHours, quietHours, criticalAtAnyHour, repeatMinutes, escalation = null, digest, afterMinutes = null } = rule
  if (digest !== null) return t('A digest of the day, at {time} ({zone}).', { time: digest.at, zone: digest.timeZone })
  const hasHours = workingHours !== null || quietHours !== null
  const times = [
    ...(afterMinutes === null
      ? hasHours
        ? []
        : [t('at once')]
      : [t('after {time} without acknowledgement', { time: durationText(afterMinutes) })]),
    ...(workingHours === null ? [] : [workingText(workingHours)]),
    ...(quietHours === null ? [] : [t('not from {from} to {to}', { from: quietHours.from, to: quietHours.to })]),
    ...(hasHours ? [t('in the time zone of the account')] : []),
    ...(hasHours && criticalAtAnyHour ? [t('critical ones at any hour')] : []),
    repeatMinutes === null ? t('once') : t('again every {time} while it is open', { time: durationText(repeatMinutes) }),
    ...(escalation === null
      ? []
      : [
          t('after {time} without acknowledgement to {names}', {
            time: durationText(escalation.afterMinutes),
            names: namesOf(escalation.recipients, names),
          }),
        ]),
  ]
  const text = times.join(', ')
  return `${text.charAt(0).toLocaleUpperCase(language)}${text.slice(1)}.`
}

function workingText({ days, from, to }: NonNullable<NotificationRule['workingHours']>): string {
  const named = [...days].sort((a, b) => a - b).map((day) => dayNames[day - 1] ?? '')
  return t('on {days} from {from} to {to}', { days: listOf(named), from, to })
}

const MINUTES_PER_HOUR = 60
const MINUTES_PER_DAY = 1_440

export function durationText(minutes: number): string {
  if (minutes % MINUTES_PER_DAY === 0) return t('{count, plural, one {# day} other {# days}}', { count: minutes / MINUTES_PER_DAY })
  return minutes % MINUTES_PER_HOUR === 0 ? t('{count} h', { count: minutes / MINUTES_PER_HOUR }) : t('{count} min', { count: minutes })
}

function namesOf(ids: readonly string[], names: Names): string {
  return listOf(ids.map((id) => names.get(id) ?? id))
}

function listOf(items: readonly string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(items)
}
