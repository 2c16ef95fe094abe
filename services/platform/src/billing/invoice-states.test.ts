// Goal: the diagram that people read is the table that the code goes by. Method: the diagram is drawn from the table and looked for in the guide.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { invoiceStatuses } from './invoice.ts'
import { invoiceMoves, requireStateAfter, stateAfter } from './invoice-states.ts'

const GUIDE = path.join(import.meta.dirname, '../../../../docs/invoices.md')

function drawStates(): string {
  const arrows = invoiceMoves.map(({ from, to, when }) => `  ${from} --> ${to}: ${when}`)
  return ['```mermaid', 'stateDiagram-v2', '  [*] --> draft: the month is over', ...arrows, '```'].join('\n')
}

test('the guide shows the moves that there are', () => {
  assert.ok(readFileSync(GUIDE, 'utf8').includes(drawStates()), `docs/invoices.md should hold\n${drawStates()}`)
})

test('every state can be reached, void is final, and what is no move is refused', () => {
  for (const status of invoiceStatuses) assert.ok(status === 'draft' || invoiceMoves.some(({ to }) => to === status), status)
  assert.ok(invoiceMoves.every(({ from }) => from !== 'void'))
  assert.equal(new Set(invoiceMoves.map(({ from, action }) => `${from} ${action}`)).size, invoiceMoves.length)
  assert.equal(stateAfter('paid', 'void'), undefined, 'what was paid is credited')
  assert.throws(() => requireStateAfter('paid', 'void'), { code: 'invalid_transition' })
})
