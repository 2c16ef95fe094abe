// Goal: every text of a name is found in one piece, and that there is none is told from that nobody could be asked. Method: a name server on
// loopback that knows a few names.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { after, test } from 'node:test'
import { resolveTxt } from './resolve-txt.ts'

const HEADER_BYTES = 12
const RECORD_TXT = 16
const NAME_ERROR = 3
const SERVER_FAILURE = 2

/** Records of one or more chunks, by name. */
const zone: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'two.example.com': [['v=spf1 -all'], ['first half, ', 'second half']],
  'none.example.com': [],
  'broken.example.com': [],
}

/** RFC 1035 §4.1, as much of it as one question needs. */
function answerTo(query: Buffer): Buffer | undefined {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const name = labels.join('.').toLowerCase()
  if (name === 'silent.example.com') return undefined
  const records = zone[name]
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (records === undefined ? NAME_ERROR : name.startsWith('broken') ? SERVER_FAILURE : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records?.length ?? 0, 6)
  const answers = (records ?? []).map((chunks) => {
    const texts = Buffer.concat(chunks.map((chunk) => Buffer.concat([Buffer.from([chunk.length]), Buffer.from(chunk)])))
    return Buffer.concat([Buffer.from([0xc0, HEADER_BYTES, 0, RECORD_TXT, 0, 1, 0, 0, 0, 60, 0, texts.length]), texts])
  })
  return Buffer.concat([header, query.subarray(HEADER_BYTES, at + 5), ...answers])
}

const socket = createSocket('udp4')
socket.on('message', (query, from) => {
  const answer = answerTo(query)
  if (answer !== undefined) socket.send(answer, from.port, from.address)
})
await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
after(() => void socket.close())
const servers = [`127.0.0.1:${socket.address().port}`]
const never = new AbortController().signal

test('texts come in one piece each; a name without any has none, and so has one that is not there', async () => {
  assert.deepEqual((await resolveTxt('two.example.com', never, servers)).sort(), ['first half, second half', 'v=spf1 -all'])
  assert.deepEqual(await resolveTxt('none.example.com', never, servers), [])
  assert.deepEqual(await resolveTxt('unknown.example.com', never, servers), [])
})

test('a server that fails, or says nothing until the caller gives up, is an error', async () => {
  await assert.rejects(resolveTxt('broken.example.com', never, servers), { code: 'ESERVFAIL' })
  const giveUp = new AbortController()
  const asked = resolveTxt('silent.example.com', giveUp.signal, servers)
  giveUp.abort()
  await assert.rejects(asked, { code: 'ECANCELLED' })
})
