import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appIcon, appManifest } from './app-manifest.ts'

test('the installed app has the name and the colour of the brand, and a name short enough for a home screen', () => {
  const { name, short_name, theme_color, display } = appManifest({ name: 'Acme Fleet Services', colour: '#ff8800' })
  assert.deepEqual([name, short_name, theme_color, display], ['Acme Fleet Services', 'Acme', '#ff8800', 'standalone'])
  assert.equal(appManifest({ name: 'Donaudampfschifffahrt', colour: null }).short_name, 'Donaudampfsc')
  assert.equal(appManifest({ name: `x${'🚚'.repeat(20)}`, colour: null }).short_name, `x${'🚚'.repeat(11)}`)
})

test('the icon has the letter of the brand where it can be read, and no markup of a name', () => {
  assert.match(appIcon({ name: 'acme', colour: '#ffee00' }, false), /fill="#000">A</)
  assert.match(appIcon({ name: '<ölwerk>', colour: '#102030' }, false), /fill="#fff">Ö</)
  assert.match(appIcon({ name: '***', colour: '#102030' }, false), /<path/)
  assert.match(appIcon({ name: 'Roadworthy', colour: null }, true), /<path/)
})
