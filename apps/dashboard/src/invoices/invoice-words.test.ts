import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusLabelOf } from './invoice-words.ts'

test('a credit note and an invoice that is credited in full are not called paid', () => {
  const labelOf = (given: object) => statusLabelOf({ status: 'paid', kind: 'invoice', total_minor: 500, credited_minor: 0, ...given })
  assert.deepEqual(
    [labelOf({}), labelOf({ credited_minor: 100 }), labelOf({ credited_minor: 500 }), labelOf({ kind: 'credit_note' })],
    ['Paid', 'Paid', 'Credited', 'Issued'],
  )
  assert.deepEqual([labelOf({ total_minor: 0 }), labelOf({ status: 'void', credited_minor: 500 })], ['Paid', 'Void'])
})
