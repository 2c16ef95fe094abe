import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDocumentSlots } from './document-slots.ts'

test('a reseller has so many at once, and all together so many, until one is given back', () => {
  const slots = createDocumentSlots({ most: 3, mostOfReseller: 2, name: 'documents' })
  const refused = (resellerId: string) => assert.throws(() => slots.take(resellerId), { code: 'overloaded', retryAfterS: 5 })
  const [first] = [slots.take('north'), slots.take('north')]
  refused('north')
  const other = slots.take('south')
  refused('east')
  other()
  other()
  const east = slots.take('east')
  refused('west')
  first?.()
  slots.take('north')
  refused('west')
  east()
  slots.take('west')
})
