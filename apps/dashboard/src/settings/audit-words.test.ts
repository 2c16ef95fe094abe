// Goal: no page shows `device.credentials_rotated` or `Added vehicle ids`. Method: the actions and fields that the service writes down are read from its
// sources.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'vite'
import { fieldWords } from './audit-fields.ts'
import { fieldText } from './audit-text.ts'
import { actionWords } from './audit-words.ts'

const SERVICE = resolve(import.meta.dirname, '../../../../services/platform/src')
/** `action: 'device.updated'`, and the branches of `action: isNew ? 'rate_plan.created' : 'rate_plan.updated'`, and the same of a constant. */
const ACTION = /\baction(?:(?::| =) [^'\n]+\?|:| =) '([a-z0-9_]+\.[a-z0-9_]+)'(?: : (?:[^'\n]+ \? )?'([a-z_]+\.[a-z_]+)')*/g

test('every action that the service writes down has words', () => {
  const actions = new Set<string>()
  for (const path of globSync('**/*.ts', { cwd: SERVICE }).filter((each) => !each.endsWith('.test.ts')))
    for (const [, ...named] of readFileSync(resolve(SERVICE, path), 'utf8').matchAll(ACTION))
      for (const action of named) if (action !== undefined) actions.add(action)
  assert.ok(actions.size > 60, 'the actions are found')
  const without = [...actions].filter((action) => (actionWords[action] ?? '') === '')
  assert.deepEqual(without, [])
})

test('every field that the service writes down has words', () => {
  const fields = [...auditedFields()]
  assert.ok(fields.length > 120, 'the fields are found')
  const words = new Set(Object.values(fieldWords))
  assert.deepEqual(fields.filter((field) => !words.has(fieldText(field))).sort(), [])
})

/** Objects that are written down whole, but for what their function takes out. */
const WHOLE_TYPES = ['BillingSettings', 'BillingCustomer', 'MaintenanceRecord', 'OperatorConnection', 'Rule', 'Party', 'Interval']
/** In the fields of those types, and in no entry. */
const TAKEN_OUT = new Set([
  ...['resellerId', 'bookId', 'customerId', 'ruleId', 'connectionId', 'createdAt', 'updatedAt'],
  ...['nextNumber', 'digestedUntil', 'syncedUntil', 'revision', 'overrides'],
])

type Node = { type: string; [field: string]: unknown }

/** Receivers write nothing down. Of each object literal behind `before`, `after` or in a function `audited…`, and of each type that is written down whole. */
function auditedFields(): ReadonlySet<string> {
  const found = new Set<string>()
  for (const path of globSync('**/*.ts', { cwd: SERVICE }).filter((each) => !/\.test\.ts$|(^|\/)test-|^ingest\//.test(each))) {
    const text = readFileSync(resolve(SERVICE, path), 'utf8')
    if (!/writeAudit\(|: AuditedFields/.test(text) && !WHOLE_TYPES.some((name) => text.includes(`type ${name} = {`))) continue
    visit(parseSync(path, text).program as unknown as Node, (node) => {
      for (const name of namesIn(node)) found.add(name)
    })
  }
  return found
}

function namesIn(node: Node): string[] {
  if (node.type === 'TSTypeAliasDeclaration' && WHOLE_TYPES.includes(nameOf(node['id']))) {
    const names = ((node['typeAnnotation'] as Node)['members'] as Node[]).map((member) => nameOf(member['key']))
    return names.filter((name) => !TAKEN_OUT.has(name))
  }
  if (node.type === 'FunctionDeclaration' && /^audited[A-Z]/.test(nameOf(node['id']))) {
    const names: string[] = []
    visit(node['body'] as Node, (each) => {
      if (each.type === 'ReturnStatement' && each['argument'] !== null) names.push(...keysOf(each['argument'] as Node))
    })
    return names
  }
  const isEntry = node.type === 'Property' && ['before', 'after'].includes(nameOf(node['key']))
  if (isEntry) return keysOf(node['value'] as Node)
  const isNamed = node.type === 'VariableDeclarator' && nameOf(node['id']) === 'after'
  return isNamed && isWritten(node['init'] as Node | null) ? keysOf(node['init'] as Node) : []
}

/** An object that is made of another one is the thing itself, after the change. */
function isWritten(node: Node | null): boolean {
  return node?.type === 'ObjectExpression' && (node['properties'] as Node[]).every(({ type }) => type !== 'SpreadElement')
}

/** Of an object literal, with what is spread into it. */
function keysOf(node: Node): string[] {
  if (node.type === 'ParenthesizedExpression') return keysOf(node['expression'] as Node)
  if (node.type === 'ConditionalExpression') return [...keysOf(node['consequent'] as Node), ...keysOf(node['alternate'] as Node)]
  if (node.type !== 'ObjectExpression') return []
  return (node['properties'] as Node[]).flatMap((each) =>
    each.type === 'SpreadElement' ? keysOf(each['argument'] as Node) : [nameOf(each['key'])],
  )
}

function nameOf(node: unknown): string {
  return String((node as { name?: string; value?: string } | null)?.name ?? (node as { value?: string } | null)?.value ?? '')
}

function visit(node: Node, look: (node: Node) => void): void {
  look(node)
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string') visit(child as Node, look)
}
