// The page behind the link of a message. Pure. It needs no script and loads nothing, and it says nothing of the incident to who has no valid link.

import { createHash } from 'node:crypto'
import { shownTitle } from '../incidents/incident.ts'
import type { LinkedIncident, LinkState } from './acknowledge.ts'
import { componentText, escaped, SEVERITY_WORDS, type Sender, timeText } from './message.ts'

export type Page = { readonly status: number; readonly html: string; readonly contentSecurityPolicy: string }

const DEFAULT_COLOUR = '#1f2937'

/** `isNew`: the request that shows it acknowledged the incident. */
export function acknowledgePage(state: LinkState, isNew: boolean, isUse: boolean, sender: Sender | undefined): Page {
  switch (state.kind) {
    case 'forged':
      return page(
        404,
        'This link is not valid',
        [paragraph('It is not one of ours, or part of it is missing. Copy all of it from the message.')],
        sender,
      )
    case 'gone':
      return page(404, 'There is no such incident any more', [paragraph('What the message was about has been deleted.')], sender)
    case 'not allowed':
      return page(
        403,
        'You cannot acknowledge this incident',
        [paragraph('The account the message was sent to may no longer change it.')],
        sender,
      )
    case 'expired': {
      const until = `It worked until ${timeText(state.expiresAt, 'UTC')} UTC. Sign in to the dashboard to see what is open.`
      return page(410, 'This link has expired', [paragraph(until)], sender)
    }
    case 'open':
      return isNew ? acknowledged(state, sender) : question(state, sender)
    case 'used': {
      const said = `${state.user.email} acknowledged it by this link on ${timeAt(state.usedAt, state)}. A link works once.`
      return page(isUse ? 409 : 200, 'This link was used', [paragraph(said), ...factsOf(state), seeLink(state, sender)], sender)
    }
    case 'settled':
      return settled(state, isUse, sender)
  }
}

/** Where more was asked than is answered, or nobody can say. */
export function failurePage(status: number, title: string, text: string): Page {
  return page(status, title, [paragraph(text)], undefined)
}

function question(state: LinkedIncident & { readonly expiresAt: Date }, sender: Sender | undefined): Page {
  const what = `You are about to acknowledge it as ${state.user.email}. No further message is sent about it until it is opened again.`
  const form = '<form method="post"><button type="submit">Acknowledge</button></form>'
  return page(200, shownTitle(state.incident), [...factsOf(state), paragraph(what), form, seeLink(state, sender)], sender)
}

function acknowledged(state: LinkedIncident, sender: Sender | undefined): Page {
  const said = `${state.user.email} acknowledged the incident. Repetition and escalation of its messages stop.`
  return page(200, 'Acknowledged', [paragraph(said), ...factsOf(state), seeLink(state, sender)], sender)
}

function settled(state: Extract<LinkState, { kind: 'settled' }>, isUse: boolean, sender: Sender | undefined): Page {
  const { incident, settledBy, settledAt } = state
  const when = settledAt === undefined ? '' : ` on ${timeAt(settledAt, state)}`
  const [title, said] =
    incident.status === 'resolved'
      ? ['The incident is resolved', `It was resolved${when}. There is nothing to acknowledge.`]
      : ['The incident is acknowledged already', `${settledBy ?? 'Somebody'} acknowledged it${when}.`]
  return page(isUse ? 409 : 200, title, [paragraph(said), ...factsOf(state), seeLink(state, sender)], sender)
}

function factsOf(state: LinkedIncident): string[] {
  const { incident, subject } = state
  const rows = [
    ['Incident', shownTitle(incident)],
    [incident.vehicleId === undefined ? 'Device' : 'Vehicle', subject],
    ['Severity', SEVERITY_WORDS[incident.severity]],
    ['Component', componentText(incident.component) ?? ''],
    ['Since', timeAt(incident.openedAt, state)],
    ['What to do', incident.recommendation],
  ]
  const cells = rows.filter(([, value]) => value !== '').map(([name = '', value = '']) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`)
  return [`<dl>${cells.join('')}</dl>`]
}

function seeLink({ incident }: LinkedIncident, sender: Sender | undefined): string {
  const url = `${sender?.baseUrl ?? ''}/alerts/${encodeURIComponent(incident.incidentId)}`
  return `<p><a href="${escaped(url)}">See it in the dashboard</a></p>`
}

function timeAt(at: Date, { timeZone }: Pick<LinkedIncident, 'timeZone'>): string {
  return `${timeText(at, timeZone)} (${timeZone})`
}

function paragraph(text: string): string {
  return `<p>${escaped(text)}</p>`
}

function page(status: number, title: string, parts: readonly string[], sender: Sender | undefined): Page {
  const style = styleOf(sender?.colour ?? DEFAULT_COLOUR)
  const name = sender === undefined ? '' : `<p class="sender">${escaped(sender.name)}</p>`
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
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
