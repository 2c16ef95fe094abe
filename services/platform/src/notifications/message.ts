// What a message says about an incident, before any channel gives it its form. Pure. What it quotes of a fleet may be anything: each form escapes it.

import type { Advice } from '@roadworthy/contracts/platform-v1/advice'
import type { Severity } from '@roadworthy/signals/severity'
import { shownTitle } from '../incidents/incident.ts'
import type { ShownIncident } from '../incidents/incidents.read.sql.ts'

export type Message = {
  /** One line: severity, vehicle, what is the matter. */
  readonly subject: string
  readonly headline: string
  /** Undefined: it is about no single incident. */
  readonly severity: Severity | undefined
  readonly rows: readonly (readonly [name: string, value: string])[]
  readonly findings: readonly string[]
  /** Of a digest: lists, each line with where to see it. */
  readonly sections: readonly Section[]
  /** Where to see it. */
  readonly link: { readonly label: string; readonly url: string } | undefined
  /** Where the recipient acknowledges it without signing in. */
  readonly acknowledgeUrl: string | undefined
  /** What messages about the same thing have in common. */
  readonly threadId: string | undefined
  /** Why somebody gets it. */
  readonly why: string
}

export type Section = {
  readonly title: string
  readonly lines: readonly { readonly text: string; readonly url: string | undefined }[]
}

export type Facts = {
  readonly incident: ShownIncident
  /** What people call the vehicle, or the device. */
  readonly subject: string
  readonly advice: Advice | undefined
  readonly step: string
  readonly ruleName: string
  readonly timeZone: string
  /** Of the link that acknowledges; undefined: the recipient gets none. */
  readonly acknowledgeToken: string | undefined
}

/** Whose name and dashboard a message bears. */
export type Sender = { readonly name: string; readonly baseUrl: string; readonly colour?: string | undefined }

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  info: 'Info',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  critical: 'Critical',
}
const MAX_SUBJECT_CHARACTERS = 150
const MAX_FINDINGS = 5

export function messageOf(facts: Facts, sender: Sender): Message {
  const { incident, subject, step, acknowledgeToken } = facts
  const again = step.startsWith('repeat.') ? 'Still open: ' : step === 'escalation' ? 'Nobody acknowledged: ' : ''
  const headline = oneLine(`${again}${shownTitle(incident)}`)
  const standing = incident.alerts.filter(({ isStanding }) => isStanding).slice(0, MAX_FINDINGS)
  return {
    ...{ headline, severity: incident.severity, rows: rowsOf(facts) },
    subject: oneLine(`${SEVERITY_WORDS[incident.severity]}: ${subject}: ${headline}`).slice(0, MAX_SUBJECT_CHARACTERS).toWellFormed(),
    findings: standing.map(({ message }) => oneLine(message)),
    sections: [],
    link: { label: 'See it in the dashboard', url: `${sender.baseUrl}/alerts/${encodeURIComponent(incident.incidentId)}` },
    acknowledgeUrl: acknowledgeToken === undefined ? undefined : `${sender.baseUrl}/acknowledge/${acknowledgeToken}`,
    threadId: incident.incidentId,
    why: `You get this message by the rule "${oneLine(facts.ruleName)}" of ${oneLine(sender.name)}.`,
  }
}

/** To see that messages arrive. */
export function testMessage(of: { readonly what: 'rule' | 'channel' | 'browser'; readonly name: string }, sender: Sender): Message {
  const name = oneLine(of.name)
  const subject = `Test: ${name}`
  return {
    ...{
      subject,
      headline: subject,
      severity: undefined,
      rows: [],
      findings: [],
      sections: [],
      link: undefined,
      acknowledgeUrl: undefined,
      threadId: undefined,
    },
    why: `This is a test of the ${of.what} "${name}" of ${oneLine(sender.name)}. Nothing happened to any vehicle.`,
  }
}

function rowsOf({ incident, subject, advice, timeZone }: Facts): [string, string][] {
  const rows: [string, string | undefined][] = [
    [incident.vehicleId === undefined ? 'Device' : 'Vehicle', subject],
    ['Severity', SEVERITY_WORDS[incident.severity]],
    ['Component', componentText(incident.component)],
    ['Since', `${timeText(incident.openedAt, timeZone)} (${timeZone})`],
    ['What to do', advice?.what ?? incident.recommendation],
    ['By', advice?.by],
    ['Why', advice?.why],
    ['If it waits', advice?.risk],
  ]
  return rows.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, oneLine(value)]]))
}

/** For people: `High voltage`. Undefined of what is about the vehicle as a whole, which is named anyway. */
export function componentText(component: string): string | undefined {
  const words = component.replaceAll('_', ' ')
  return component === 'vehicle' ? undefined : `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

export function timeText(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at)
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** For HTML, in text and in attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
