// A message as an e-mail: text, and the same as HTML.

import { oneLine } from '../words/one-line.ts'
import { escaped, type Link, type Message, type Section, type Sender } from './message.ts'

export type Mail = { readonly subject: string; readonly text: string; readonly html: string; readonly threadId?: string | undefined }

const DEFAULT_COLOUR = '#1f2937'
const BUTTON = 'display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none'

/** A long word, such as an id, breaks: a column as wide as the word would push the others off the screen of a phone. */
const VALUE = 'vertical-align:top;padding:2px 0;word-break:break-word'

export function mailOf(message: Message, sender: Sender): Mail {
  const { subject, headline, rows, findings, sections, link, map, acknowledge, threadId, why } = message
  return {
    subject,
    threadId,
    text: [
      headline,
      ...(rows.length === 0 ? [] : [rows.map(([name, value]) => `${name}: ${value}`).join('\n')]),
      ...(findings.length === 0 ? [] : [findings.map((finding) => `- ${finding}`).join('\n')]),
      ...sections.map(sectionText),
      ...(map === undefined ? [] : [`${map.label}:\n\n${map.url}`]),
      ...(acknowledge === undefined ? [] : [`${acknowledge.invitation}\n\n${acknowledge.url}`]),
      ...(link === undefined ? [] : [`${link.label}:\n\n${link.url}`]),
      `${why}\n`,
    ].join('\n\n'),
    html: page(message, sender, [
      `<h1 style="font-size:20px;margin:0 0 16px">${escaped(headline)}</h1>`,
      ...(rows.length === 0 ? [] : [`<table role="presentation" style="border-collapse:collapse">${rows.map(tableRow).join('')}</table>`]),
      ...(findings.length === 0 ? [] : [`<ul>${findings.map((finding) => `<li>${escaped(finding)}</li>`).join('')}</ul>`]),
      ...sections.map(sectionHtml),
      ...(map === undefined ? [] : [linkHtml(map)]),
      ...(acknowledge === undefined
        ? []
        : [`<p><a href="${escaped(acknowledge.url)}" style="${BUTTON}">${escaped(acknowledge.label)}</a></p>`]),
      ...(link === undefined ? [] : [linkHtml(link)]),
      `<p style="color:#4b5563;font-size:13px">${escaped(why)}</p>`,
    ]),
  }
}

function linkHtml({ label, url }: Link): string {
  return `<p><a href="${escaped(url)}" style="color:#1d4ed8">${escaped(label)}</a></p>`
}

function sectionText({ title, lines }: Section): string {
  return [title, ...lines.map(({ text, url }) => (url === undefined ? `- ${text}` : `- ${text}\n  ${url}`))].join('\n')
}

function sectionHtml({ title, lines }: Section): string {
  const shown = lines.map(({ text, url }) =>
    url === undefined ? escaped(text) : `<a href="${escaped(url)}" style="color:#1d4ed8">${escaped(text)}</a>`,
  )
  return `<h2 style="font-size:16px;margin:16px 0 8px">${escaped(title)}</h2><ul>${shown.map((line) => `<li>${line}</li>`).join('')}</ul>`
}

function page({ language }: Message, { name, colour = DEFAULT_COLOUR }: Sender, parts: readonly string[]): string {
  const head = `<p style="border-top:6px solid ${escaped(colour)};padding-top:12px;margin:0 0 16px;font-weight:bold">${escaped(oneLine(name))}</p>`
  const body = `<div style="font-family:system-ui,sans-serif;max-width:40rem;line-height:1.5;color:#111827;overflow-wrap:break-word">${head}${parts.join('')}</div>`
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head><body>${body}</body></html>\n`
}

function tableRow([name, value]: readonly [string, string]): string {
  return `<tr><th style="text-align:left;vertical-align:top;padding:2px 16px 2px 0">${escaped(name)}</th><td style="${VALUE}">${escaped(value)}</td></tr>`
}
