// Goal: every address of both families is found, and it can be told that there is none from that nobody could be asked. Method: a name
// server on loopback that knows a few names.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { after, test } from 'node:test'
import { resolveName } from './resolve-name.ts'

const HEADER_BYTES = 12
const RECORD_A = 1
const RECORD_AAAA = 28
const NAME_ERROR = 3

/** Addresses in bytes, by name and type of record. */
const zone: Readonly<Record<string, Readonly<Record<number, readonly (readonly number[])[]>>>> = {
  'both.example.com': {
    [RECORD_A]: [
      [93, 184, 215, 14],
      [10, 0, 0, 5],
    ],
    [RECORD_AAAA]: [[0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
  },
  'four.example.com': { [RECORD_A]: [[93, 184, 215, 14]] },
  'neither.example.com': {},
}
const SILENT = 'silent.example.com'

/** RFC 1035 §4.1, as much of it as one question needs. */
function answerTo(query: Buffer): Buffer | undefined {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const name = labels.join('.').toLowerCase()
  if (name === SILENT) return undefined
  const question = query.subarray(HEADER_BYTES, at + 5)
  const addresses = zone[name]?.[query.readUInt16BE(at + 1)] ?? []
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (zone[name] === undefined ? NAME_ERROR : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  const records = addresses.map((address) => {
    const record = Buffer.from([0xc0, HEADER_BYTES, 0, address.length === 4 ? RECORD_A : RECORD_AAAA, 0, 1, 0, 0, 0, 60, 0, address.length])
    return Buffer.concat([record, Buffer.from(address)])
  })
  return Buffer.concat([header, question, ...records])
}

const socket = createSocket('udp4')
socket.on('message', (query, from) => {
  const answer = answerTo(query)
  if (answer !== undefined) socket.send(answer, from.port, from.address)
})
await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
after(() => void socket.close())

const servers = [`127.0.0.1:${socket.address().port}`]
const { signal } = new AbortController()

test('every address of both families is found', async () => {
  assert.deepEqual(await resolveName('both.example.com', signal, servers), [
    { address: '93.184.215.14', family: 4 },
    { address: '10.0.0.5', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ])
  assert.deepEqual(await resolveName('four.example.com', signal, servers), [{ address: '93.184.215.14', family: 4 }])
})

test('a name that does not exist, and one without addresses, are known to have none', async () => {
  for (const name of ['nobody.example.com', 'neither.example.com']) {
    await assert.rejects(resolveName(name, signal, servers), { code: 'ENOTFOUND' }, name)
  }
})

test('a name server that keeps silent says nothing of the name, and is left when it is told to', async () => {
  const stopping = new AbortController()
  const asked = resolveName(SILENT, stopping.signal, servers)
  setImmediate(() => stopping.abort())
  await assert.rejects(asked, ({ code }: NodeJS.ErrnoException) => code !== 'ENOTFOUND')
})
