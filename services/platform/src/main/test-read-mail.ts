// For tests only: a mail as a mail program shows it. Of the forms of RFC 2045 and 2047 it knows those that our mails come in.

export type ReadMail = { readonly subject: string; readonly text: string; readonly html: string | undefined }

export function readMail(raw: string): ReadMail {
  const { headers, body } = partOf(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1]
  const parts =
    boundary === undefined
      ? [{ headers, body }]
      : body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => partOf(part.trimStart()))
  const textOf = (type: string) => {
    const part = parts.find((each) => (each.headers.get('content-type') ?? 'text/plain').startsWith(type))
    return part && decoded(part.body, part.headers.get('content-transfer-encoding') ?? '7bit').replaceAll('\r\n', '\n')
  }
  return { subject: plainHeader(headers.get('subject') ?? ''), text: textOf('text/plain') ?? '', html: textOf('text/html') }
}

function partOf(raw: string): { headers: ReadonlyMap<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return { headers: new Map(headers), body: raw.slice(end + 4) }
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  return encoding === 'quoted-printable' ? quotedPrintable(body.replace(/=\r\n/g, '')) : body
}

function quotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Between two encoded words a blank is none. */
function plainHeader(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, form: string, word: string) =>
      form.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString('utf8') : quotedPrintable(word.replaceAll('_', ' ')),
    )
}
