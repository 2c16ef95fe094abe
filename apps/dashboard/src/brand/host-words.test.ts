import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostProof } from '@roadworthy/contracts/platform-v1/brands'
import { hostOf, hostState, withPrimary } from './host-words.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const pending: HostProof = {
  host: 'fleet.acme.example',
  status: 'pending',
  provedBy: null,
  record: { type: 'TXT', name: '_roadworthy-challenge.fleet.acme.example', value: 'x' },
  provedAt: null,
  checkedAt: null,
  problem: null,
}
const checked = { ...pending, checkedAt: '2026-03-01T11:55:00.000Z' }
const proved = { ...checked, status: 'proved', provedBy: 'dns', provedAt: checked.checkedAt } as const

test('each state of a proof shows what was found and what comes next', () => {
  const kinds = [
    pending,
    { ...checked, problem: 'missing' as const },
    { ...checked, problem: 'unreachable' as const },
    { ...checked, problem: 'taken' as const },
    proved,
    { ...proved, problem: 'missing' as const },
    { ...proved, provedBy: 'operator' as const },
  ].map((proof) => hostState(proof, NOW_MS))
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['waiting', 'missing', 'waiting', 'missing', 'proved', 'at risk', 'proved'],
  )
  assert.match(kinds[1]?.text ?? '', /no such record 5 min ago/)
  assert.equal(new Set(kinds.map(({ text }) => text)).size, kinds.length)
})

test('a name is made the primary one without losing another', () => {
  assert.deepEqual(withPrimary(['a', 'b', 'c'], 'c'), ['c', 'a', 'b'])
})

test('an address that is pasted is taken as its host name', () => {
  assert.deepEqual(['https://Fleet.acme.example/sign-in', ' fleet.acme.example:8443 ', 'fleet.acme.example'].map(hostOf), [
    'fleet.acme.example',
    'fleet.acme.example',
    'fleet.acme.example',
  ])
})
