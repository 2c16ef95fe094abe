// What a person reads about an incident. Pure: subject, text, and the same as HTML. What it quotes of a fleet may be anything, so that the HTML escapes
// all of it and a subject is one line.

import type { Advice } from '@roadworthy/contracts/platform-v1/advice'
import type { Severity } from '@roadworthy/signals/severity'
import { shownTitle, statusAt } from '../incidents/incident.ts'
import type { ShownIncident } from '../incidents/incidents.read.sql.ts'

export type Message = { readonly subject: string; readonly text: string; readonly html: string }

export type Facts = {
  readonly incident: ShownIncident
  /** What people call the vehicle, or the device. */
  readonly subject: string
  readonly advice: Advice | undefined
  readonly step: string
  readonly ruleName: string
  readonly timeZone: string
}

export type Sender = { readonly name: string; readonly baseUrl: string; readonly colour: string | undefined }

const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  info: 'Info',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  critical: 'Critical',
}
const DEFAULT_COLOUR = '#1f2937'
const MAX_SUBJECT_CHARACTERS = 150
const MAX_FINDINGS = 5

export function writeMessage(facts: Facts, sender: Sender, at: Date): Message {
  const { incident, subject, step } = facts
  const again = step.startsWith('repeat.') ? 'Still open: ' : step === 'escalation' ? 'Nobody acknowledged: ' : ''
  const headline = oneLine(`${again}${shownTitle(incident)}`)
  const rows = rowsOf(facts, at)
  const findings = incident.alerts.filter(({ isStanding }) => isStanding).slice(0, MAX_FINDINGS)
  const link = linkOf(incident, sender)
  const why = `You get this message by the rule "${oneLine(facts.ruleName)}" of ${oneLine(sender.name)}.`
  return {
    subject: oneLine(`${SEVERITY_WORDS[incident.severity]}: ${subject}: ${headline}`).slice(0, MAX_SUBJECT_CHARACTERS).toWellFormed(),
    text: [
      headline,
      rows.map(([name, value]) => `${name}: ${value}`).join('\n'),
      ...(findings.length === 0 ? [] : [findings.map(({ message }) => `- ${oneLine(message)}`).join('\n')]),
      `To see it:\n\n${link}`,
      `${why}\n`,
    ].join('\n\n'),
    html: page(sender, [
      `<h1 style="font-size:20px;margin:0 0 16px">${escaped(headline)}</h1>`,
      `<table role="presentation" style="border-collapse:collapse">${rows.map(tableRow).join('')}</table>`,
      ...(findings.length === 0 ? [] : [`<ul>${findings.map(({ message }) => `<li>${escaped(oneLine(message))}</li>`).join('')}</ul>`]),
      `<p><a href="${escaped(link)}" style="color:#1d4ed8">See it in the dashboard</a></p>`,
      `<p style="color:#4b5563;font-size:13px">${escaped(why)}</p>`,
    ]),
  }
}

/** To see that the messages of a rule arrive. */
export function writeTest(ruleName: string, sender: Sender): Message {
  const said = `This is a test of the rule "${oneLine(ruleName)}" of ${oneLine(sender.name)}. Nothing happened to any vehicle.`
  return { subject: `Test: ${oneLine(ruleName)}`, text: `${said}\n`, html: page(sender, [`<p>${escaped(said)}</p>`]) }
}

function rowsOf({ incident, subject, advice, timeZone }: Facts, at: Date): [string, string][] {
  const rows: [string, string | undefined][] = [
    [incident.vehicleId === undefined ? 'Device' : 'Vehicle', subject],
    ['Severity', SEVERITY_WORDS[incident.severity]],
    ['Component', incident.component],
    ['Since', `${timeText(incident.openedAt, timeZone)} (${timeZone})`],
    ['Status', statusAt(incident, at)],
    ['What to do', advice?.what ?? incident.recommendation],
    ['By', advice?.by],
    ['Why', advice?.why],
    ['If it waits', advice?.risk],
  ]
  return rows.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, oneLine(value)]]))
}

function linkOf({ vehicleId }: ShownIncident, { baseUrl }: Sender): string {
  return vehicleId === undefined ? `${baseUrl}/alerts` : `${baseUrl}/vehicles/${encodeURIComponent(vehicleId)}`
}

function page({ name, colour = DEFAULT_COLOUR }: Sender, parts: readonly string[]): string {
  const head = `<p style="border-top:6px solid ${escaped(colour)};padding-top:12px;margin:0 0 16px;font-weight:bold">${escaped(oneLine(name))}</p>`
  const body = `<div style="font-family:system-ui,sans-serif;max-width:40rem;line-height:1.5;color:#111827">${head}${parts.join('')}</div>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body>${body}</body></html>\n`
}

function tableRow([name, value]: [string, string]): string {
  return `<tr><th style="text-align:left;vertical-align:top;padding:2px 16px 2px 0">${name}</th><td>${escaped(value)}</td></tr>`
}

function timeText(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
