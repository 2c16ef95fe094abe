// How long a person waits to sign in while 300 wrong passwords wait, from one address block and from 300, beside the same with nobody else
// there. The person signed in from there before. Bar: two turns of hashing more than alone: the one under way and their own. The routes
// are entered by inject, with a database of their own, so that addresses can be chosen; hashing is most of it.
//
// Run: node bench/scenarios/sign-in.ts [--rounds 3]     Result: a line in bench/results/sign-in.jsonl
import os from 'node:os'
import { parseArgs } from 'node:util'
import { createUser } from '@roadworthy/platform/people/users'
import { insertResellerWithKey, lastFirst, openTestApi } from '@roadworthy/platform/surfaces/test-api'
import { openTestDatabase } from '@roadworthy/platform/test-support'
import { keepResult } from '../load/service-under-load.ts'

const FLOOD_COUNT = 300
const EMAIL = 'person@acme.example'
const PASSWORD = 'correct horse battery'
const HOME = '2001:db8:aaaa:1::7'
const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } })

const cleanUps: (() => Promise<void>)[] = []
const cleanUp = lastFirst({ after: (run) => cleanUps.push(run) })
try {
  const { database } = await openTestDatabase(cleanUp)
  const { app } = await openTestApi(cleanUp, database)
  await insertResellerWithKey(database, 'acme')
  await createUser(database, { resellerId: 'acme', email: EMAIL, password: PASSWORD }, new Date())
  const signIn = (password: string, remoteAddress: string, email = EMAIL) =>
    app.inject({ method: 'POST', url: '/api/v1/session', remoteAddress, payload: { email, password } })

  const signInBehind = async (addressOf: (i: number) => string | undefined): Promise<number> => {
    const flood = Array.from({ length: FLOOD_COUNT }, (_, i) => addressOf(i)).flatMap((address, i) =>
      address === undefined ? [] : [signIn(`guess ${i}`, address)],
    )
    const startedMs = performance.now()
    const { statusCode, body } = await signIn(PASSWORD, HOME)
    const tookMs = performance.now() - startedMs
    if (statusCode !== 200) throw new Error(`the person was not let in: ${statusCode} ${body}`)
    await Promise.all(flood)
    return tookMs
  }
  const medianOf = async (addressOf: (i: number) => string | undefined): Promise<number> => {
    const tookMs: number[] = []
    for (let round = 0; round < Number(flags.rounds); round++) tookMs.push(await signInBehind(addressOf))
    return Math.round(tookMs.sort((a, b) => a - b)[Math.floor(tookMs.length / 2)] ?? Number.NaN)
  }
  await signIn(PASSWORD, HOME)
  keepResult('sign-in', {
    at: new Date().toISOString(),
    cpus: os.cpus().length,
    node: process.version,
    floodCount: FLOOD_COUNT,
    aloneMs: await medianOf(() => undefined),
    behindOneBlockMs: await medianOf(() => '198.51.100.7'),
    behindManyBlocksMs: await medianOf((i) => `2001:db8:${(i + 1).toString(16)}::1`),
  })
} finally {
  for (const run of cleanUps) await run()
}
