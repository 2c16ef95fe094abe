import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashKeyText, isKeyText, newKeyText } from './key-text.ts'

test('a new key has the documented form and its own checksum', () => {
  for (let i = 0; i < 200; i++) {
    const key = newKeyText()
    assert.match(key, /^rw_live_[0-9A-Za-z]{36}$/)
    assert.equal(isKeyText(key), true)
  }
})

test('a key of known parts keeps its checksum, so that keys made by another version stay valid', () => {
  // 1815974639, the CRC-32 of the first 38 characters, in base62.
  assert.equal(isKeyText('rw_live_0123456789012345678901234567891ytdxX'), true)
})

test('any single changed character makes a key invalid', () => {
  const key = newKeyText()
  for (let i = 0; i < key.length; i++) {
    for (const other of ['0', 'a', 'Z']) {
      if (key[i] !== other) assert.equal(isKeyText(key.slice(0, i) + other + key.slice(i + 1)), false, `${i} ${other}`)
    }
  }
  for (const text of ['', key.slice(1), `${key}0`, ` ${key}`, key.toUpperCase()]) assert.equal(isKeyText(text), false)
})

test('the hash is plain SHA-256 in hex', () => {
  assert.equal(hashKeyText('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
