// Goal: the diagram of payments in `docs/invoices.md` is that of the table by which they move.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { attemptMoves } from './attempt-states.ts'

const PAGE = path.join(import.meta.dirname, '../../../../docs/invoices.md')

test('the page shows every state of a payment and every move between them', () => {
  const lines = attemptMoves.map(({ from, to, when }) => `    ${from} --> ${to}: ${when}`)
  const diagram = ['```mermaid', 'stateDiagram-v2', '    [*] --> created', ...lines, '```'].join('\n')
  assert.ok(readFileSync(PAGE, 'utf8').includes(diagram), `docs/invoices.md should hold\n${diagram}`)
})
