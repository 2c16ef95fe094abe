// For tests only: a name server on loopback that knows a few names.

import { createSocket } from 'node:dgram'
import type { CleanUp } from '../postgres/test-database.ts'

export const RECORD_A = 1
export const RECORD_TXT = 16
export const RECORD_AAAA = 28

const HEADER_BYTES = 12
const SERVER_FAILURE = 2
const NAME_ERROR = 3

/** What stands in the records of a name, by their type; a name without records of a type is there all the same. */
export type NameRecords = Readonly<Record<number, readonly Buffer[]>>
/** By name in lower case; `fails` is answered as a failure of the server, `is silent` not at all. */
export type Zone = Readonly<Record<string, NameRecords | 'fails' | 'is silent'>>

/** Its address, as resolvers take it. Closed after the tests. */
export async function startNameServer(t: CleanUp, zone: Zone): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const answer = answerTo(query, zone)
    if (answer !== undefined) socket.send(answer, from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  t.after(async () => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}

/** RFC 1035 §4.1, as much of it as one question needs. */
function answerTo(query: Buffer, zone: Zone): Buffer | undefined {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const known = zone[labels.join('.').toLowerCase()]
  if (known === 'is silent') return undefined
  const type = query.readUInt16BE(at + 1)
  const contents = known === undefined || known === 'fails' ? [] : (known[type] ?? [])
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (known === undefined ? NAME_ERROR : known === 'fails' ? SERVER_FAILURE : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(contents.length, 6)
  const records = contents.map((content) => Buffer.concat([recordHeader(type, content.length), content]))
  return Buffer.concat([header, query.subarray(HEADER_BYTES, at + 5), ...records])
}

/** Of the name that was asked for, for a minute. */
function recordHeader(type: number, contentBytes: number): Buffer {
  return Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 60, 0, contentBytes])
}
