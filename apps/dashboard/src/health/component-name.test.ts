import assert from 'node:assert/strict'
import { test } from 'node:test'
import { componentName, componentOf, componentWords, judgedComponents } from './component-name.ts'

test('a part has a name that leads back to it, however it is typed', () => {
  for (const component of judgedComponents) assert.equal(componentOf(` ${componentName(component).toUpperCase()} `), component)
  assert.equal(componentOf('Fuel system'), 'fuel')
  assert.equal(componentOf('fuel'), 'fuel')
})

test('a part that a person named keeps that name', () => {
  assert.equal(componentName('oil_filter'), 'Oil filter')
  assert.equal(componentOf('Oil filter'), 'oil filter')
  assert.deepEqual([componentWords('oil_filter'), componentWords('fuel')], ['oil filter', 'fuel system'])
})
