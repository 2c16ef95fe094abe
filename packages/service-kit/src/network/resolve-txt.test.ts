// Goal: every text of a name is found in one piece, and no text is distinguished from no answer. Method: a name server on
// loopback that knows a few names.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { resolveTxt } from './resolve-txt.ts'
import { RECORD_TXT, startNameServer } from './testing-name-server.ts'

/** A record of one or more chunks. */
const txt = (...chunks: string[]) => Buffer.concat(chunks.flatMap((chunk) => [Buffer.from([chunk.length]), Buffer.from(chunk)]))

const nameServer = await startNameServer(
  { after },
  {
    'two.example.com': { [RECORD_TXT]: [txt('v=spf1 -all'), txt('first half, ', 'second half')] },
    'none.example.com': {},
    'broken.example.com': 'fails',
    'silent.example.com': 'is silent',
  },
)
const servers = [nameServer]
const never = new AbortController().signal

test('texts come in one piece each; a name without any has none, and so has one that is not there', async () => {
  assert.deepEqual((await resolveTxt('two.example.com', never, servers)).sort(), ['first half, second half', 'v=spf1 -all'])
  assert.deepEqual(await resolveTxt('none.example.com', never, servers), [])
  assert.deepEqual(await resolveTxt('unknown.example.com', never, servers), [])
})

test('a server that fails, or does not answer until the caller gives up, is an error', async () => {
  await assert.rejects(resolveTxt('broken.example.com', never, servers), { code: 'ESERVFAIL' })
  const giveUp = new AbortController()
  const asked = resolveTxt('silent.example.com', giveUp.signal, servers)
  giveUp.abort()
  await assert.rejects(asked, { code: 'ECANCELLED' })
})
