import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressBlock } from './address-block.ts'

test('an IPv4 address is counted by itself, however it is written', () => {
  for (const written of ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:203.0.113.7', '::ffff:cb00:7107', '0:0:0:0:0:ffff:203.0.113.7']) {
    assert.equal(addressBlock(written), '203.0.113.7', written)
  }
})

test('an IPv6 address is counted by its /64, however it is written', () => {
  for (const written of ['2001:db8:1:2::1', '2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:0db8:0001:0002:0::9', '2001:db8:1:2::203.0.113.7']) {
    assert.equal(addressBlock(written), '2001:db8:1:2::/64', written)
  }
  assert.equal(addressBlock('2001:db8:1:3::1'), '2001:db8:1:3::/64')
  assert.equal(addressBlock('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(addressBlock('::1'), '0:0:0:0::/64')
})

test('what is no address is no longer than one', () => {
  assert.equal(addressBlock('x'.repeat(1_000)).length, 45)
  assert.equal(addressBlock(''), '')
})
