// The table of lines, with its head on every page.

import type { InvoiceText, LineText } from './invoice-text.ts'
import { BOTTOM, CONTENT_WIDTH, GREY, INK, lineHeight, PAGE, type PageWriter, type Style } from './page-writer.ts'

type Column = { readonly x: number; readonly width: number }

const GAP = 10
const columns = placed({ number: 24, description: 217, quantity: 84, price: 72, amount: 102 })
const body: Style = { size: 8.5, colour: INK }
const detail: Style = { size: 7.5, colour: GREY }
const head: Style = { size: 8, colour: GREY, weight: 'bold' }
const HEAD_HEIGHT = 20
const PADDING = 4
const MAX_DESCRIPTION_LINES = 4

function placed<Name extends string>(widths: Readonly<Record<Name, number>>): Record<Name, Column> {
  let x: number = PAGE.marginX
  const entries = Object.entries<number>(widths).map(([name, width]) => {
    const column = { x, width: width - GAP }
    x += width
    return [name, column]
  })
  return Object.fromEntries(entries) as Record<Name, Column>
}

/** Returns where the table ends on the last page. */
export function drawLineTable(writer: PageWriter, { lines, furtherLines, currency }: InvoiceText, top: number, colour: string): number {
  let y = drawHead(writer, currency, top, colour)
  const breakBefore = (height: number) => {
    if (y + height <= BOTTOM) return
    writer.addPage()
    y = drawHead(writer, currency, PAGE.top, colour)
  }
  for (const line of lines) {
    breakBefore(heightOf(writer, line))
    y = drawLine(writer, line, y)
  }
  if (furtherLines !== undefined) {
    const { label, text } = furtherLines
    const row = { number: '', description: label, detail: undefined, quantity: '', price: '', amount: text }
    breakBefore(heightOf(writer, row))
    y = drawLine(writer, row, y)
  }
  return y
}

function drawHead(writer: PageWriter, currency: string, y: number, colour: string): number {
  const at = { y, maxLines: 1 }
  const right: Style = { ...head, align: 'right' }
  writer.text('#', { ...columns.number, ...at }, head)
  writer.text('Description', { ...columns.description, ...at }, head)
  writer.text('Quantity', { ...columns.quantity, ...at }, right)
  writer.text('Unit price', { ...columns.price, ...at }, right)
  writer.text(`Amount (${currency})`, { ...amountColumn(), ...at }, right)
  writer.rule(y + HEAD_HEIGHT - 5, colour, 1)
  return y + HEAD_HEIGHT
}

/** It ends at the margin. */
function amountColumn(): Column {
  const { x } = columns.amount
  return { x, width: PAGE.marginX + CONTENT_WIDTH - x }
}

function heightOf(writer: PageWriter, line: LineText): number {
  const count = writer.wrap(line.description, columns.description.width, MAX_DESCRIPTION_LINES, body).length
  return Math.max(1, count) * lineHeight(body) + (line.detail === undefined ? 0 : lineHeight(detail)) + PADDING + 1
}

function drawLine(writer: PageWriter, line: LineText, y: number): number {
  const height = heightOf(writer, line)
  writer.text(line.number, { ...columns.number, y, maxLines: 1 }, { ...body, colour: GREY })
  const descriptionHeight = writer.text(line.description, { ...columns.description, y, maxLines: MAX_DESCRIPTION_LINES }, body)
  if (line.detail !== undefined) writer.text(line.detail, { ...columns.description, y: y + descriptionHeight, maxLines: 1 }, detail)
  writer.figure(line.quantity, { ...columns.quantity, y }, body)
  writer.figure(line.price, { ...columns.price, y }, body)
  writer.figure(line.amount, { ...amountColumn(), y }, body)
  writer.rule(y + height - 3, '#e8ebef', 0.4)
  return y + height
}
