// The page behind the link of a message. Pure. It needs no script and loads nothing, and it says nothing of the incident to who has no valid link.

import { createHash } from 'node:crypto'
import { shownTitle } from '../../incidents/incident.ts'
import type { Wording } from '../../words/wording.ts'
import { escaped, isWhole, type Sender } from '../message.ts'
import type { LinkedIncident, LinkState, Settler } from './acknowledge.ts'

export type Page = { readonly status: number; readonly html: string; readonly contentSecurityPolicy: string }

/** Whose brand the page bears, where that may be said, and how it is worded. */
type Look = { readonly sender: Sender | undefined; readonly wording: Wording }

const DEFAULT_COLOUR = '#1f2937'

/** `isNew`: the request that shows it acknowledged the incident. */
export function acknowledgePage(state: LinkState, isNew: boolean, isUse: boolean, look: Look): Page {
  const { say, time } = look.wording
  switch (state.kind) {
    case 'forged':
      return page(404, say('page.forged'), [paragraph(say('page.forged_text'))], look)
    case 'gone':
      return page(404, say('page.gone'), [paragraph(say('page.gone_text'))], look)
    case 'not allowed':
      return page(403, say('page.not_allowed'), [paragraph(say('page.not_allowed_text'))], look)
    case 'expired': {
      const until = say('page.expired_text', { time: time(state.expiresAt, 'UTC') })
      return page(410, say('page.expired'), [paragraph(until)], look)
    }
    case 'open':
      return isNew ? acknowledged(state, look) : question(state, look)
    case 'used': {
      const said = say('page.used_text', { person: state.user.email, time: timeAt(state.usedAt, state, look) })
      return page(isUse ? 409 : 200, say('page.used'), [paragraph(said), ...factsOf(state, look), seeLink(state, look)], look)
    }
    case 'settled':
      return settled(state, isUse, look)
  }
}

/** Where more was asked than is answered, or nobody can say. */
export function failurePage(status: 429 | 503, wording: Wording): Page {
  const { say } = wording
  const [title, text] = status === 429 ? [say('page.too_many'), say('page.too_many_text')] : [say('page.failed'), say('page.failed_text')]
  return page(status, title, [paragraph(text)], { sender: undefined, wording })
}

function question(state: LinkedIncident & { readonly expiresAt: Date }, look: Look): Page {
  const { say, said } = look.wording
  const what = say('page.question', { person: state.user.email })
  const form = `<form method="post"><button type="submit">${escaped(say('incident.acknowledge'))}</button></form>`
  const title = said(shownTitle(state.incident), state.timeZone)
  return page(200, title, [...factsOf(state, look), paragraph(what), form, seeLink(state, look)], look)
}

function acknowledged(state: LinkedIncident, look: Look): Page {
  const { say } = look.wording
  const said = say('page.acknowledged_text', { person: state.user.email })
  return page(200, say('page.acknowledged'), [paragraph(said), ...factsOf(state, look), seeLink(state, look)], look)
}

function settled(state: Extract<LinkState, { kind: 'settled' }>, isUse: boolean, look: Look): Page {
  const { say } = look.wording
  const isResolved = state.incident.status === 'resolved'
  const said = isResolved ? resolvedText(state, look) : settledText(state, look)
  const title = say(isResolved ? 'page.resolved' : 'page.settled')
  return page(isUse ? 409 : 200, title, [paragraph(said), ...factsOf(state, look), seeLink(state, look)], look)
}

function resolvedText(state: Extract<LinkState, { kind: 'settled' }>, look: Look): string {
  const { say } = look.wording
  return state.settledAt === undefined ? say('page.resolved_text') : say('page.resolved_on', { time: timeAt(state.settledAt, state, look) })
}

function settledText(state: Extract<LinkState, { kind: 'settled' }>, look: Look): string {
  const { say } = look.wording
  const person = personOf(state.settledBy, look)
  return state.settledAt === undefined
    ? say('page.settled_text', { person })
    : say('page.settled_on', { person, time: timeAt(state.settledAt, state, look) })
}

function personOf(settler: Settler | undefined, { wording: { say } }: Look): string {
  if (settler === undefined) return say('page.somebody')
  if (settler === 'api_key') return say('page.api_key')
  return settler === 'somebody_removed' ? say('page.somebody_removed') : settler.email
}

function factsOf(state: LinkedIncident, look: Look): string[] {
  const { incident, subject, timeZone } = state
  const { say, said, partName } = look.wording
  const rows = [
    [say('fact.incident'), said(shownTitle(incident), timeZone)],
    [say(incident.vehicleId === undefined ? 'fact.device' : 'fact.vehicle'), subject],
    [say('fact.severity'), say(`severity.${incident.severity}`)],
    [say('fact.component'), isWhole(incident.component) ? '' : partName(incident.component)],
    [say('fact.since'), timeAt(incident.openedAt, state, look)],
    [say('fact.what'), said(incident.recommendation, timeZone)],
  ]
  const cells = rows
    .filter(([, value]) => value !== '')
    .map(([name = '', value = '']) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`)
  return [`<dl>${cells.join('')}</dl>`]
}

function seeLink({ incident }: LinkedIncident, { sender, wording: { say } }: Look): string {
  const url = `${sender?.baseUrl ?? ''}/alerts/${encodeURIComponent(incident.incidentId)}`
  return `<p><a href="${escaped(url)}">${escaped(say('incident.see'))}</a></p>`
}

function timeAt(at: Date, { timeZone }: Pick<LinkedIncident, 'timeZone'>, { wording: { time } }: Look): string {
  return `${time(at, timeZone)} (${timeZone})`
}

function paragraph(text: string): string {
  return `<p>${escaped(text)}</p>`
}

function page(status: number, title: string, parts: readonly string[], { sender, wording: { language } }: Look): Page {
  const style = styleOf(sender?.colour ?? DEFAULT_COLOUR)
  const name = sender === undefined ? '' : `<p class="sender">${escaped(sender.name)}</p>`
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escaped(title)}</title><style>${style}</style></head>
<body><main>${name}<h1>${escaped(title)}</h1>${parts.join('\n')}</main></body></html>
`
  const styleHash = createHash('sha256').update(style).digest('base64')
  const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  return { status, html, contentSecurityPolicy }
}

function styleOf(colour: string): string {
  return `:root{color-scheme:light dark}
body{font-family:system-ui,sans-serif;line-height:1.5;margin:0;padding:2rem 1rem;background:light-dark(#f3f4f6,#111827);color:light-dark(#111827,#f3f4f6)}
main{max-width:34rem;margin:0 auto;padding:1.5rem;border-radius:.5rem;border-top:6px solid ${colour};background:light-dark(#fff,#1f2937)}
h1{font-size:1.4rem;line-height:1.3;margin:0 0 1rem}.sender{font-weight:600;margin:0 0 .5rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:0 0 1rem}dt{color:light-dark(#4b5563,#9ca3af)}dd{margin:0;overflow-wrap:anywhere}
button{font:inherit;font-weight:600;padding:.7rem 1.4rem;border:0;border-radius:.4rem;background:#1d4ed8;color:#fff;cursor:pointer}
button:focus-visible,a:focus-visible{outline:3px solid #f59e0b;outline-offset:2px}a{color:light-dark(#1d4ed8,#93c5fd)}`
}
