// What a message says about an incident, before any channel gives it its form. Pure. What it quotes of a fleet may be anything: each form escapes it.

import type { Advice } from '@roadworthy/contracts/platform-v1/advice'
import type { Severity } from '@roadworthy/signals/severity'
import type { Language } from '@roadworthy/wording/languages'
import { shownTitle } from '../incidents/incident.ts'
import type { ShownIncident } from '../incidents/incidents.read.sql.ts'
import { bounded, oneLine } from '../words/one-line.ts'
import type { Wording } from '../words/wording.ts'
import type { Place } from './place.read.sql.ts'

export type Message = {
  readonly language: Language
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
  readonly link: Link | undefined
  /** Where a map shows where it is; undefined: it is at no place that is known. */
  readonly map: Link | undefined
  /** Where the recipient acknowledges it without signing in: the button, and what stands above the address where there is none. */
  readonly acknowledge: { readonly label: string; readonly invitation: string; readonly url: string } | undefined
  /** What messages about the same thing have in common. */
  readonly threadId: string | undefined
  /** Why somebody gets it. */
  readonly why: string
}

export type Link = { readonly label: string; readonly url: string }

export type Section = {
  readonly title: string
  readonly lines: readonly { readonly text: string; readonly url: string | undefined }[]
}

export type Facts = {
  readonly incident: ShownIncident
  /** What people call the vehicle, or the device. */
  readonly subject: string
  readonly advice: Advice | undefined
  /** Undefined: none that is known, or that matters. */
  readonly place: Place | undefined
  readonly step: string
  readonly ruleName: string
  readonly timeZone: string
  /** Of the link that acknowledges; undefined: the recipient gets none. */
  readonly acknowledgeToken: string | undefined
}

/** Whose name and dashboard a message bears. */
export type Sender = { readonly name: string; readonly baseUrl: string; readonly colour?: string | undefined }

/** Of a line that names a vehicle and what is the matter with it: what mail programs and chats show of one. */
const MAX_LINE_CHARACTERS = 150
/** Of a name, however long what stands beside it is. */
const MIN_NAME_CHARACTERS = 30
const MAX_FINDINGS = 5
/** About a metre. */
const DEGREE_DECIMALS = 5

export function messageOf(facts: Facts, sender: Sender, wording: Wording): Message {
  const { incident, subject, step, acknowledgeToken, timeZone } = facts
  const { language, say, said } = wording
  const title = said(shownTitle(incident), timeZone)
  const headline = oneLine(
    step.startsWith('repeat.') ? say('incident.repeat', { title }) : step === 'escalation' ? say('incident.escalation', { title }) : title,
  )
  const standing = incident.alerts.filter(({ isStanding }) => isStanding).slice(0, MAX_FINDINGS)
  return {
    ...{ language, headline, severity: incident.severity, rows: rowsOf(facts, wording) },
    subject: incidentLine(say(`severity.${incident.severity}`), subject, headline),
    findings: standing.map(({ message }) => oneLine(said(message, timeZone))),
    sections: [],
    link: { label: say('incident.see'), url: `${sender.baseUrl}/alerts/${encodeURIComponent(incident.incidentId)}` },
    map: facts.place === undefined ? undefined : { label: say('incident.map'), url: mapUrlOf(facts.place) },
    acknowledge: acknowledgeToken === undefined ? undefined : acknowledgeOf(acknowledgeToken, sender, wording),
    threadId: incident.incidentId,
    why: say('incident.why', { rule: oneLine(facts.ruleName), sender: oneLine(sender.name) }),
  }
}

function acknowledgeOf(token: string, { baseUrl }: Sender, { say }: Wording): Message['acknowledge'] {
  return {
    ...{ label: say('incident.acknowledge'), invitation: say('incident.acknowledge_by_link') },
    url: `${baseUrl}/acknowledge/${token}`,
  }
}

/** To see that messages arrive. */
export function testMessage(
  of: { readonly what: 'rule' | 'channel' | 'browser'; readonly name: string },
  sender: Sender,
  { language, say }: Wording,
): Message {
  const name = oneLine(of.name)
  const subject = say('test.title', { name })
  return {
    ...{ language, subject, headline: subject, severity: undefined, rows: [], findings: [], sections: [] },
    ...{ link: undefined, map: undefined, acknowledge: undefined, threadId: undefined },
    why: say(`test.${of.what}`, { name, sender: oneLine(sender.name) }),
  }
}

/** Degrees as maps take them, in every language. */
function degreesOf({ latitude, longitude }: Place): [latitude: string, longitude: string] {
  return [latitude.toFixed(DEGREE_DECIMALS), longitude.toFixed(DEGREE_DECIMALS)]
}

/** https://wiki.openstreetmap.org/wiki/Browsing: a marker, in the middle of a map of some streets. Mail programs make no link of `geo:`. */
function mapUrlOf(place: Place): string {
  const [latitude, longitude] = degreesOf(place)
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
}

function rowsOf({ incident, subject, advice, place, timeZone }: Facts, { say, said, day, time, partName }: Wording): [string, string][] {
  const { vehicleId, component, recommendation, openedAt, severity } = incident
  const saidOf = (text: string | undefined) => (text === undefined ? undefined : said(text, timeZone))
  const rows: [string, string | undefined][] = [
    [say(vehicleId === undefined ? 'fact.device' : 'fact.vehicle'), subject],
    [say('fact.severity'), say(`severity.${severity}`)],
    [say('fact.component'), isWhole(component) ? undefined : partName(component)],
    [say('fact.since'), `${time(openedAt, timeZone)} (${timeZone})`],
    [say('fact.position'), place === undefined ? undefined : `${degreesOf(place).join(', ')} (${time(place.recordedAt, timeZone)})`],
    [say('fact.what'), saidOf(advice?.what ?? recommendation)],
    [say('fact.by'), advice?.by === undefined ? undefined : day(advice.by)],
    [say('fact.why'), saidOf(advice?.why)],
    [say('fact.risk'), saidOf(advice?.risk)],
  ]
  return rows.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, oneLine(value)]]))
}

/** About the vehicle as a whole, which is named anyway. */
export function isWhole(component: string): boolean {
  return component === 'vehicle'
}

/** `High: Truck 17: Coolant overheating`. Of a name that is too long the end is left out, and not what is the matter. */
export function incidentLine(severity: string, name: string, title: string): string {
  const room = MAX_LINE_CHARACTERS - severity.length - oneLine(title).length - ': : '.length
  return bounded(`${severity}: ${bounded(oneLine(name), Math.max(MIN_NAME_CHARACTERS, room))}: ${oneLine(title)}`, MAX_LINE_CHARACTERS)
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** For HTML, in text and in attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
