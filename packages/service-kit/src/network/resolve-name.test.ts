// Goal: every address of both families is found, and no address is distinguished from no answer. Method: a name
// server on loopback that knows a few names.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { resolveName } from './resolve-name.ts'
import { RECORD_A, RECORD_AAAA, startNameServer } from './testing-name-server.ts'

const SILENT = 'silent.example.com'
const nameServer = await startNameServer(
  { after },
  {
    'both.example.com': {
      [RECORD_A]: [Buffer.from([93, 184, 215, 14]), Buffer.from([10, 0, 0, 5])],
      [RECORD_AAAA]: [Buffer.from([0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])],
    },
    'four.example.com': { [RECORD_A]: [Buffer.from([93, 184, 215, 14])] },
    'neither.example.com': {},
    [SILENT]: 'is silent',
  },
)
const servers = [nameServer]
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

test('a name server that does not answer decides nothing, and is left when its signal ends', async () => {
  const stopping = new AbortController()
  const asked = resolveName(SILENT, stopping.signal, servers)
  setImmediate(() => stopping.abort())
  await assert.rejects(asked, ({ code }: NodeJS.ErrnoException) => code !== 'ENOTFOUND')
})
