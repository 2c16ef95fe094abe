import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOutput, formatTable, withoutForeignControls } from './output.ts'

const TITLE = '\u001b]0;mine\u0007'

test('a name that a tenant chose gives the terminal of an operator nothing to obey, and no line of its own', () => {
  const table = formatTable(['NAME', 'STATUS'], [[`van${TITLE}\u001b[2J\u009b1A\nkey-1\troot\r\u202e`, 'active']])
  const [, row = '', ...more] = table.split('\n')
  assert.deepEqual(more, [])
  assert.match(row, /^van[^\p{Cc}]+active$/u)
})

test('lines and colours of our own stay', () => {
  assert.equal(withoutForeignControls('\u001b[31mrefused\u001b[39m\n  é ☃ 👩‍🔧'), '\u001b[31mrefused\u001b[39m\n  é ☃ 👩‍🔧')
})

test('an answer and a note are as harmless; JSON is as it was', () => {
  const written: string[] = []
  const stream = { write: (text: string) => void written.push(text) } as unknown as NodeJS.WriteStream
  createOutput(false, stream, stream).answer({ name: TITLE }, () => `made ${TITLE}`)
  createOutput(false, stream, stream).note(`seen ${TITLE}`)
  createOutput(true, stream, stream).answer({ name: TITLE }, () => '')
  assert.deepEqual(written, ['made \ufffd]0;mine\ufffd\n', 'seen \ufffd]0;mine\ufffd\n', `${JSON.stringify({ name: TITLE })}\n`])
})
