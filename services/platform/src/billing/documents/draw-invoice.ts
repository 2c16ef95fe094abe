// Lays out an invoice on A4 and writes the PDF. Takes tens of milliseconds a hundred lines, so it runs in a thread: see render-pdf.ts.

import { type InvoiceText, invoiceTextOf, type LabelledText, type PartyText } from './invoice-text.ts'
import { drawLineTable } from './line-table.ts'
import { drawableLogo } from './logo-image.ts'
import { BOTTOM, CONTENT_WIDTH, GREY, INK, lineHeight, PAGE, PageWriter, type Style } from './page-writer.ts'
import type { PrintJob } from './printed-part.ts'

const DEFAULT_COLOUR = '#1f3a5f'
const LOGO = { width: 170, height: 46 } as const
const MAX_FOOTER_LINES = 12
const FACTS_WIDTH = 200
const SUMS_WIDTH = 250

const small: Style = { size: 8, colour: GREY }
const body: Style = { size: 9 }

/** The same input gives the same bytes, in the same version of Node.js: it has the compression, and the names of months. */
export async function drawInvoice({ invoice, brand, locale }: PrintJob): Promise<Uint8Array> {
  const text = invoiceTextOf(invoice, locale)
  const brandName = brand.name ?? invoice.issuer.name
  const name = `${text.title} ${invoice.number ?? '(draft)'}`
  const writer = new PageWriter({ title: name, author: brandName, createdAt: invoice.openedAt ?? invoice.draftedAt })
  const bytes = collect(writer.document)
  const colour = /^#[0-9a-f]{6}$/i.test(brand.colour ?? '') ? (brand.colour ?? DEFAULT_COLOUR) : DEFAULT_COLOUR
  writer.addPage()
  let y = drawHead(writer, text, brandName, await drawableLogo(brand.logo), colour)
  y = drawNotice(writer, text.notice, y, colour)
  y = drawParties(writer, text, y)
  y = drawLineTable(writer, text, y, colour)
  y = drawSums(writer, text, y, colour)
  drawRemarks(writer, text, y)
  drawFeet(writer, `${brandName} · ${name}`)
  writer.document.end()
  return await bytes
}

async function collect(document: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of document) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

function drawHead(writer: PageWriter, { title, mark }: InvoiceText, name: string, image: Buffer | undefined, colour: string): number {
  const half = CONTENT_WIDTH / 2
  if (image === undefined) writer.text(name, { x: PAGE.marginX, y: PAGE.top, width: half, maxLines: 2 }, { size: 16, weight: 'bold' })
  else writer.document.image(image, PAGE.marginX, PAGE.top, { fit: [LOGO.width, LOGO.height], valign: 'center' })
  const right = { x: PAGE.marginX + half, width: half, maxLines: 1 }
  const shown = mark === undefined ? title : `${mark} ${title.toLowerCase()}`
  writer.text(shown, { ...right, y: PAGE.top + 4 }, { size: 24, weight: 'bold', align: 'right' })
  const y = PAGE.top + LOGO.height + 12
  writer.rule(y, colour, 2)
  return y + 16
}

function drawNotice(writer: PageWriter, notice: string | undefined, y: number, colour: string): number {
  if (notice === undefined) return y
  const style: Style = { size: 9.5, weight: 'bold' }
  const box = { x: PAGE.marginX + 12, y: y + 6, width: CONTENT_WIDTH - 24, maxLines: 3 }
  const height = writer.wrap(notice, box.width, box.maxLines, style).length * lineHeight(style) + 12
  writer.document.rect(PAGE.marginX, y, CONTENT_WIDTH, height).fill('#f2f4f7')
  writer.document.rect(PAGE.marginX, y, 3, height).fill(colour)
  writer.text(notice, box, style)
  return y + height + 16
}

function drawParties(writer: PageWriter, { issuer, recipient, facts }: InvoiceText, y: number): number {
  const width = (CONTENT_WIDTH - FACTS_WIDTH - 32) / 2
  const ends = [
    drawParty(writer, 'From', issuer, PAGE.marginX, y, width),
    drawParty(writer, 'Bill to', recipient, PAGE.marginX + width + 16, y, width),
    drawFacts(writer, facts, PAGE.width - PAGE.marginX - FACTS_WIDTH, y),
  ]
  return Math.max(...ends) + 18
}

function drawParty(writer: PageWriter, label: string, { name, lines }: PartyText, x: number, top: number, width: number): number {
  let y = top + writer.text(label, { x, y: top, width, maxLines: 1 }, small) + 1
  y += writer.text(name, { x, y, width, maxLines: 4 }, { ...body, weight: 'bold' })
  for (const line of lines) y += writer.text(line, { x, y, width, maxLines: 3 }, { size: 8.5 })
  return y
}

function drawFacts(writer: PageWriter, facts: readonly LabelledText[], x: number, top: number): number {
  const labelWidth = 78
  let y = top
  for (const { label, text } of facts) {
    writer.text(label, { x, y: y + 0.7, width: labelWidth, maxLines: 1 }, small)
    const box = { x: x + labelWidth, y, width: FACTS_WIDTH - labelWidth, maxLines: 3 }
    y += writer.text(text, box, { size: 8.5, align: 'right' }) + 2.5
  }
  return y
}

function drawSums(writer: PageWriter, { sums, result, currency }: InvoiceText, top: number, colour: string): number {
  const rowHeight = 16
  const height = sums.length * rowHeight + 40
  let y = top + 10
  if (y + height > BOTTOM) {
    writer.addPage()
    y = PAGE.top
  }
  const x = PAGE.width - PAGE.marginX - SUMS_WIDTH
  for (const { label, text } of sums) {
    writer.text(label, { x, y, width: SUMS_WIDTH / 2, maxLines: 1 }, body)
    writer.figure(text, { x: x + SUMS_WIDTH / 2, y, width: SUMS_WIDTH / 2 }, body)
    y += rowHeight
  }
  y += 3
  writer.document.rect(x - 8, y, SUMS_WIDTH + 16, 26).fill('#f2f4f7')
  writer.document.rect(x - 8, y, SUMS_WIDTH + 16, 1.2).fill(colour)
  const style: Style = { size: 11.5, weight: 'bold', colour: INK }
  writer.text(result.label, { x, y: y + 5.5, width: SUMS_WIDTH / 2, maxLines: 1 }, style)
  writer.figure(result.text, { x: x + SUMS_WIDTH * 0.4, y: y + 5.5, width: SUMS_WIDTH * 0.6 }, style)
  y += 32
  const note = `All amounts in ${currency}.`
  writer.text(note, { x, y, width: SUMS_WIDTH, maxLines: 1 }, { ...small, align: 'right' })
  return y + 16
}

const MISSING_REMARK =
  'A question mark in a diamond stands for a character that the typefaces lack; the electronic invoice has the text in full.'

function drawRemarks(writer: PageWriter, { remarks, footer }: InvoiceText, top: number): void {
  const texts = [...remarks, ...(footer?.split(/\r\n|\r|\n/) ?? [])].filter((text) => text.trim() !== '')
  let y = top + 8
  const draw = (text: string, maxLines: number): number => {
    const lineCount = writer.wrap(text, CONTENT_WIDTH, maxLines, small).length
    if (y + lineCount * lineHeight(small) > BOTTOM) {
      writer.addPage()
      y = PAGE.top
    }
    y += writer.text(text, { x: PAGE.marginX, y, width: CONTENT_WIDTH, maxLines }, small) + 2
    return lineCount
  }
  let leftLines = MAX_FOOTER_LINES
  for (const [nth, text] of texts.entries()) {
    const isCutHere = nth < texts.length - 1 && writer.wrap(text, CONTENT_WIDTH, leftLines, small).length >= leftLines
    leftLines -= draw(isCutHere ? `${text} …` : text, leftLines)
    if (leftLines <= 0) break
  }
  // The footer itself may hold such a character.
  if (writer.hasMissing) draw(MISSING_REMARK, MAX_FOOTER_LINES)
}

function drawFeet(writer: PageWriter, name: string): void {
  const { count } = writer.document.bufferedPageRange()
  const y = PAGE.height - 40
  for (let page = 0; page < count; page++) {
    writer.document.switchToPage(page)
    writer.rule(y - 8)
    writer.text(name, { x: PAGE.marginX, y, width: CONTENT_WIDTH - 110, maxLines: 1 }, small)
    const number = `Page ${page + 1} of ${count}`
    writer.text(number, { x: PAGE.width - PAGE.marginX - 100, y, width: 100, maxLines: 1 }, { ...small, align: 'right' })
  }
}
