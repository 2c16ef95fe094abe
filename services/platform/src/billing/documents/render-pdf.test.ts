import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { fc } from '../../../../../test/support/fast-check.ts'
import type { Invoice } from '../invoice.ts'
import { MAX_PRINTED_LINES } from './printed-part.ts'
import { renderInvoicePdf } from './render-pdf.ts'
import { anyInvoice } from './test-any-invoice.ts'
import { interlacedRows, jpegHead, png, webps } from './test-images.ts'
import { exampleCreditNote, exampleInvoice, exampleLine, manyLines } from './test-invoices.ts'

const brand = { name: 'Acme Fleet', colour: '#0b7285' }
const MAX_OUTPUT_BYTES = 50_000_000
const hasReader = spawnSync('pdftotext', ['-v']).error === undefined
const reads = { skip: hasReader ? false : 'there is no pdftotext: `apt-get install poppler-utils`' }

function readPdf(pdf: Uint8Array): string {
  const { stdout, stderr, status } = spawnSync('pdftotext', ['-layout', '-', '-'], {
    input: pdf,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
  })
  assert.equal(status, 0, stderr)
  assert.equal(stderr, '', 'the reader finds nothing wrong')
  return stdout
}

const print = async (given: Partial<Invoice>) => readPdf(await renderInvoicePdf({ invoice: exampleInvoice(given), brand }))

test('the text of an invoice can be read', reads, async () => {
  const text = await print({ paidMinor: 10_000 })
  const expected = [
    ...['Acme Fleet', 'Acme Fleet Services Pvt. Ltd.', '560025 Bengaluru, Karnataka', 'Tax number 29ABCDE1234F1Z5'],
    ...['Zażółć Logistics Kft.', 'Großer Weg 3', 'ACME-2026-0042', '2 Nov 2026', '16 Nov 2026', '1 Oct 2026 – 31 Oct 2026', 'PO-77'],
    ...['SIM rental, plan “Fleet 500 MB”', 'SIM 8991000012345678901', '18/31 months', '1,234,567', '0.50 per 1,000', '617.28'],
    ...['773.76', 'CGST 9 %', '69.64', '913.04', '-100.00', 'INR 813.04', 'Thank you for driving with us.', 'Page 1 of 1'],
  ]
  for (const each of expected) assert.ok(text.replaceAll('\u00a0', ' ').includes(each), `${each} in\n${text}`)
})

test('who has set no brand issues under the name of the issuer, and the properties of the file name nobody else', reads, async () => {
  const pdf = await renderInvoicePdf({ invoice: exampleInvoice(), brand: {} })
  const text = readPdf(pdf)
  assert.ok(text.trimStart().startsWith('Acme Fleet Services Pvt. Ltd.'), text)
  assert.ok(text.includes('Acme Fleet Services Pvt. Ltd. · Invoice ACME-2026-0042'), text)
  const { stdout: properties } = spawnSync('pdfinfo', ['-'], { input: pdf, encoding: 'utf8' })
  assert.match(properties, /^Author: +Acme Fleet Services Pvt\. Ltd\.$/m)
  assert.doesNotMatch(`${properties}${text}`, /roadworthy/i)
})

test('a footer that is cut shows that there is more', reads, async () => {
  const footer = (count: number) => Array.from({ length: count }, (_, nth) => `Bank ${nth + 1}`).join('\n')
  const [whole, cut] = [await print({ footer: footer(12) }), await print({ footer: footer(13) })]
  assert.match(whole, /Bank 12$/m)
  assert.match(cut, /Bank 12 …$/m)
  assert.doesNotMatch(cut, /Bank 13/)
  const long = await print({ footer: `${footer(10)}\n${'東 '.repeat(100)}\nBank 12` })
  assert.match(long, /…$/m)
  assert.match(long, /A question mark in a diamond/)
})

test('drafts, void invoices and credit notes are marked as such', reads, async () => {
  assert.match(await print({ status: 'draft', number: undefined, openedAt: undefined }), /Draft invoice[\s\S]*This is a draft\./)
  assert.match(await print({ status: 'void', voidedAt: new Date('2026-11-05T00:00:00Z') }), /Void invoice[\s\S]*This invoice is void/)
  assert.match(
    readPdf(await renderInvoicePdf({ invoice: exampleCreditNote(), brand })),
    /Credit note[\s\S]*corrects invoice ACME-2026-0042/,
  )
})

test(
  'letters, currency signs and Devanagari are drawn; what no typeface has is marked, and the page explains the mark',
  reads,
  async () => {
    const name = 'Ğüven Žitný Ελλάς Київ ₹ € परिवहन'
    const covered = await print({ recipient: { ...exampleInvoice().recipient, name } })
    for (const word of ['Ğüven', 'Žitný', 'Ελλάς', 'Київ', '₹', '€', 'प']) assert.ok(covered.includes(word), word)
    assert.doesNotMatch(covered, /\ufffd|question mark/)

    const lacking = await print({ recipient: { ...exampleInvoice().recipient, name: 'Tokyo 東京 運送' } })
    assert.match(lacking, /Tokyo \ufffd\ufffd \ufffd\ufffd/)
    assert.match(lacking, /A question mark in a diamond stands for a character that the typefaces lack/)
  },
)

// Goal: what is drawn can be searched and copied. Method: names of countries in the languages of the first customers and their neighbours, which have
// most of what their scripts join and reorder.
const languages = ['hi', 'mr', 'ne', 'ta', 'te', 'kn', 'ml', 'bn', 'as', 'gu', 'pa', 'or', 'si', 'th', 'ar', 'fa', 'ur', 'he']
test('a text of each script is read back as it was written, in both weights', reads, async () => {
  const regions = ['IN', 'LK', 'FR', 'CH', 'GB', 'AU', 'CY', 'GR', 'AE', 'JP', 'SA', 'SG']
  for (const language of languages) {
    const names = regions.map((region) => new Intl.DisplayNames(language, { type: 'region' }).of(region) ?? '')
    const lines = names.map((description, nth) => exampleLine({ line: nth + 1, description }))
    const recipient = { ...exampleInvoice().recipient, name: names.slice(0, 2).join(' ') }
    const text = (await print({ lines, recipient, taxes: [] })).replace(/[\u202a-\u202e]/g, '')
    const words =
      names
        .join(' ')
        .normalize('NFC')
        .match(/[\p{L}\p{M}\u200c\u200d]{2,}/gu) ?? []
    for (const word of words) assert.ok(text.includes(word), `${language}: ${word} in\n${text}`)
    assert.doesNotMatch(text, /\ufffd/)
  }
})

test('words that are too long are broken between syllables, and Thai between its words', reads, async () => {
  const descriptions = ['கொ'.repeat(150), 'ประเทศไทย'.repeat(12)]
  const text = await print({ lines: descriptions.map((description, nth) => exampleLine({ line: nth + 1, description })), taxes: [] })
  const broken = text.match(/[\p{Script=Tamil}\p{Script=Thai}]+/gu) ?? []
  assert.ok(broken.length >= 6, `${broken.length} lines`)
  for (const line of broken) assert.match(line, /^(கொ)+$|^(ประเทศ|ไทย)+$/u)
})

test('only the typefaces of what is written are in the document', reads, async () => {
  const fonts = async (name: string) => {
    const input = await renderInvoicePdf({ invoice: exampleInvoice({ recipient: { ...exampleInvoice().recipient, name } }), brand })
    const { stdout } = spawnSync('pdffonts', ['-'], { input, encoding: 'utf8' })
    return Array.from(stdout.matchAll(/\+(NotoSans\S*) .* (\S+) (\S+) (\S+) +\d+ +\d+$/gm), ([, font, ...kept]) =>
      [font, ...kept].join(' '),
    ).sort()
  }
  assert.deepEqual(
    await fonts('Acme'),
    ['NotoSans-Bold yes yes yes', 'NotoSans-Regular yes yes yes'],
    'embedded, as a subset, with its texts',
  )
  assert.deepEqual(await fonts('தமிழ் ไทย'), [
    ...['NotoSans-Bold', 'NotoSans-Regular', 'NotoSansTamil-Bold', 'NotoSansThai-Bold'].map((font) => `${font} yes yes yes`),
  ])
})

// Goal: a typeface is read when a text needs it, not before. Method: a process that may read no other typeface than the first.
test('what nobody writes is not read', () => {
  const root = new URL('../../../../../', import.meta.url).pathname
  const fonts = '@expo-google-fonts'
  const readable = [
    ...['package.json', 'services/', 'packages/'].map((name) => root + name),
    ...readdirSync(`${root}node_modules`).flatMap((name) => (name === fonts ? [] : [`${root}node_modules/${name}`])),
    `${root}node_modules/${fonts}/noto-sans/`,
  ]
  const script = `
    import { drawInvoice } from './draw-invoice.ts'
    import { printedPartOf } from './printed-part.ts'
    import { exampleInvoice } from './test-invoices.ts'
    const draw = (footer) => drawInvoice({ invoice: printedPartOf(exampleInvoice({ footer })), brand: { name: 'Acme' } })
    console.log((await draw('“Ğüven” Київ परिवहन ₹ 東京')).length > 1000, await draw('தமிழ்').catch(({ code }) => code))`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--permission', ...readable.map((path) => `--allow-fs-read=${path}`), '--input-type=module-typescript', '--eval', script],
    { cwd: new URL('.', import.meta.url).pathname, encoding: 'utf8' },
  )
  assert.equal(stdout, 'true ERR_ACCESS_DENIED\n', stderr)
})

test('the same invoice gives the same bytes, with a date of its own', async () => {
  const invoice = exampleInvoice({ footer: 'தமிழ்நாடு കേരള شركة النقل (دبي) שלום' })
  const document = { invoice, brand: { ...brand, logo: png({ width: 40, height: 10 }) }, locale: 'en-IN' }
  const first = await renderInvoicePdf(document)
  await print({ footer: 'నిగమం தமிழ் النقل שלום' })
  assert.deepEqual(await renderInvoicePdf(document), first)
  assert.ok(Buffer.from(first).includes('(D:20261102000000Z)'))
  assert.notDeepEqual(await renderInvoicePdf({ ...document, invoice: exampleInvoice({ number: 'ACME-2026-0043' }) }), first)
})

test('a thousand lines are pages with a repeated head, and stay small', reads, async () => {
  const pdf = await renderInvoicePdf({ invoice: exampleInvoice({ lines: manyLines(1_000) }), brand })
  assert.ok(pdf.length < 150_000, `${pdf.length} bytes`)
  const pages = readPdf(pdf).split('\f').slice(0, -1)
  assert.ok(pages.length > 20)
  for (const [nth, page] of pages.entries()) {
    assert.match(page, new RegExp(`Page ${nth + 1} of ${pages.length}`))
    assert.match(page, /Description +Quantity +Unit price +Amount \(INR\)|Subtotal/)
  }
  const iccids = new Set(pages.join('').match(/\b89910000\d{11}\b/g))
  assert.equal(iccids.size, 1_000)
})

test('lines beyond the most that are printed are one line with their sum', reads, async () => {
  const text = await print({ lines: manyLines(MAX_PRINTED_LINES + 3) })
  assert.match(text, /3 further lines.* 297\.00\n/)
  assert.match(text, /495,297\.00/, 'the subtotal is that of all lines')
})

test('hostile text stays in its place', reads, async () => {
  const hostile = [
    `${'W'.repeat(10_000)}`,
    `${'word '.repeat(2_000)}`,
    `\u0000\u0007\u001b[31m\u202eesrever\u202c\u2066x\u2069 \ud800 ${'\u0301'.repeat(5_000)}`,
    `e${'\u0301'.repeat(10_000)} క${'\u0c4d\u0c30'.repeat(5_000)} ${'க்'.repeat(3_000)}ஷ ${'ก'.repeat(10_000)}`,
    `${'אa1(بb٢['.repeat(3_000)} ${'\u202e)'.repeat(1_000)}\u0651${'ا\u0651\u064e'.repeat(3_000)}\udc00`,
    `${'क्ष'.repeat(3_000)} ${'\u200d'.repeat(100)} ${'👩‍👩‍👧‍👦'.repeat(100)}`,
    '\r\n\t\u2028\u2029',
    '',
  ]
  for (const text of hostile) {
    const party = {
      ...exampleInvoice().recipient,
      name: text,
      addressLines: Array.from({ length: 50 }, () => text),
      city: text,
      region: text,
    }
    const lines = [exampleLine({ description: text }), exampleLine({ line: 2, description: 'The line after' })]
    const invoice = exampleInvoice({
      issuer: party,
      recipient: party,
      lines,
      footer: `${text}\n`.repeat(50),
      number: text,
      buyerReference: text,
    })
    const shown = readPdf(await renderInvoicePdf({ invoice, brand: { name: text, colour: text } }))
    assert.match(shown, /The line after/)
    assert.match(shown, /INR.233\.64/, 'the amount due is whole')
    assert.ok(shown.split('\f').length <= 4, 'a few pages')
    // The reader itself writes U+202B and U+202C, around words that are read from right to left.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    assert.doesNotMatch(shown, /[\u0000-\u0008\u000e-\u001f\u202a\u202d\u202e\u2066-\u2069]/)
  }
})

test('an amount is never cut, however large', reads, async () => {
  const lines = [exampleLine({ amountMinor: Number.MAX_SAFE_INTEGER, unitPrice: '90071992547409.91' })]
  const text = await print({ lines, taxes: [] })
  assert.equal(text.match(/90,071,992,547,409\.91/g)?.length, 5, 'price, amount, subtotal, total and amount due')
})

// Goal: nothing runs out of the page or into its neighbour. Method: `pdftotext -bbox` has the box of each word.
test('figures that are too long for their column become smaller', reads, async () => {
  const unitPrice = '90071992547409.123456789012'
  const lines = [exampleLine({ quantity: '123456789012.123456', unitPrice, amountMinor: Number.MAX_SAFE_INTEGER }), ...manyLines(30)]
  const pdf = await renderInvoicePdf({ invoice: exampleInvoice({ lines }), brand, locale: 'en-IN' })
  const { stdout } = spawnSync('pdftotext', ['-bbox', '-', '-'], { input: pdf, encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES })
  const [page = ''] = stdout.split('</page>')
  const words = Array.from(page.matchAll(/xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">/g), ([, ...box]) =>
    box.map(Number),
  )
  assert.ok(words.length > 100)
  for (const [left = 0, top = 0, right = 0, bottom = 0] of words) {
    assert.ok(left >= 47.9 && right <= 547.4 && top > 0 && bottom < 841, `${[left, top, right, bottom]} is within the margins`)
    const over = words.filter(
      ([l = 0, t = 0, r = 0, b = 0]) => l > left && l < right - 0.5 && (t + b) / 2 > top && (t + b) / 2 < bottom && r > 0,
    )
    assert.deepEqual(over, [], `nothing is over ${[left, top, right, bottom]}`)
  }
})

test('any invoice becomes a PDF', async () => {
  await fc.assert(
    fc.asyncProperty(anyInvoice, async (invoice) => {
      const pdf = Buffer.from(await renderInvoicePdf({ invoice, brand }))
      assert.deepEqual([pdf.toString('latin1', 0, 8), pdf.includes('%%EOF')], ['%PDF-1.7', true])
    }),
    { numRuns: 20 },
  )
})

test('a logo is drawn in the place of the name; one that cannot be drawn leaves the name, and nothing is fetched', reads, async (t) => {
  let requestCount = 0
  const server = createServer((_request, response) => {
    requestCount++
    response.end()
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  const draw = (logo: Buffer) => renderInvoicePdf({ invoice: exampleInvoice(), brand: { ...brand, logo } })

  const interlaced = png({ width: 40, height: 10, isInterlaced: true, rows: interlacedRows(40, 10, () => [0, 90, 180, 255]) })
  for (const logo of [png({ width: 40, height: 10 }), interlaced, webps.transparent.file, jpegHead({ width: 40, height: 10 })]) {
    const pdf = await draw(logo)
    assert.ok(Buffer.from(pdf).includes('/Subtype /Image'))
  }
  const { port } = server.address() as { port: number }
  const odd = [
    Buffer.from(`<svg><image href="http://127.0.0.1:${port}/"/></svg>`),
    png({ width: 40, height: 10 }).subarray(0, 60),
    Buffer.alloc(9),
    // Ends the thread.
    Buffer.concat([webps.lossless.file.subarray(0, 26), Buffer.alloc(webps.lossless.file.length - 26, 0xff)]),
  ]
  for (const logo of odd) {
    const pdf = await draw(logo)
    assert.ok(!Buffer.from(pdf).includes('/Subtype /Image'))
    assert.match(readPdf(pdf), /^Acme Fleet/)
  }
  assert.equal(requestCount, 0)
})

test('a logo that stops the drawing is left out, and the next document is drawn as before', reads, async () => {
  // A view of memory that was given away cannot be sent to the thread.
  const logo = new Uint8Array(8)
  structuredClone(logo.buffer, { transfer: [logo.buffer] })
  assert.match(readPdf(await renderInvoicePdf({ invoice: exampleInvoice(), brand: { ...brand, logo } })), /^Acme Fleet/)
  assert.ok((await renderInvoicePdf({ invoice: exampleInvoice(), brand })).length > 0)
})

test('more documents at once than can be drawn in time are refused', async () => {
  const waiting = Array.from({ length: 60 }, () => renderInvoicePdf({ invoice: exampleInvoice(), brand }))
  const outcomes = await Promise.allSettled(waiting)
  const refused = outcomes.filter((each) => each.status === 'rejected').map(({ reason }) => reason.code)
  assert.deepEqual(
    refused,
    Array.from({ length: 10 }, () => 'overloaded'),
  )
  assert.ok((await renderInvoicePdf({ invoice: exampleInvoice(), brand })).length > 0)
})
