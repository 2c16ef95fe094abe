// Goal: a statement is checked without any service, and whoever reads the answer, person or program, learns what is wrong. What can be wrong
// is tested in services/platform/src/metering.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { buildStatement } from '@roadworthy/platform/metering/statement'
import { createStatementKey } from '@roadworthy/platform/metering/statement-key'
import { firstHash, hashOfLine, type SealedLine } from '@roadworthy/platform/metering/usage-chain'
import { monthOfLabel } from '@roadworthy/service-kit/time/zoned-time'
import { roadworthy } from '../../../../test/support/command-line.ts'

const folder = mkdtempSync(join(tmpdir(), 'roadworthy-statement-'))
after(() => rmSync(folder, { recursive: true }))

const key = createStatementKey('a secret key of at least 32 characters')
const owner = { resellerId: 'north', subClientId: 'acme' }
const month = monthOfLabel('Asia/Kolkata', '2026-10')
const lines: SealedLine[] = []
for (let seq = 1; seq <= 5; seq++) {
  const line = { seq, bucket: new Date(month.fromMs + seq * 900_000), meter: 'points_ingested', count: 10 * seq } as const
  lines.push({ ...line, hash: hashOfLine(lines.at(-1)?.hash ?? firstHash(owner), line) })
}
const statement = buildStatement({ owner, timeZone: 'Asia/Kolkata', month, lines, previous: firstHash(owner), isFinal: true }, key)
const forged = { ...statement, lines: statement.lines.map((line) => (line.seq === 3 ? { ...line, count: 31 } : line)) }
writeFileSync(join(folder, 'good.json'), JSON.stringify(statement, null, 2))
writeFileSync(join(folder, 'forged.json'), JSON.stringify(forged))
writeFileSync(join(folder, 'key.pub'), `${key.publicKey}\n`)
writeFileSync(join(folder, 'no.json'), '{')

const verify = (...args: string[]) => roadworthy(['verify-statement', ...args], { cwd: folder })

test('a statement is valid by its own key with a word of caution, and by the key that is given, as text or as a file', async () => {
  const alone = await verify('good.json')
  const printed = [
    'valid',
    '',
    'reseller         north',
    'sub-client       acme',
    'month            2026-10 (Asia/Kolkata)',
    'state            final',
    'points_ingested  150',
    'api_calls        0',
    'predictions      0',
    'active_devices   0',
    '',
  ]
  assert.deepEqual([alone.code, alone.stdout], [0, printed.join('\n')])
  assert.match(alone.stderr, /Give --key to know whose that is/)
  for (const given of [key.publicKey, 'key.pub']) {
    const { code, stdout, stderr } = await verify('good.json', '--key', given, '--json')
    assert.deepEqual([code, stderr], [0, ''])
    const content = { reseller_id: 'north', sub_client_id: 'acme', month: '2026-10', status: 'final', totals: statement.totals }
    assert.deepEqual(JSON.parse(stdout), { valid: true, ...content, first_differing_line: null, findings: [], key_given: true })
  }
  const piped = await roadworthy(['verify-statement', '-'], { cwd: folder, input: JSON.stringify(statement) })
  assert.equal(piped.code, 0)
})

test('one that was changed ends with 1 and names the first line that differs', async () => {
  const { code, stdout, stderr } = await verify('forged.json', '--key', 'key.pub', '--json')
  assert.equal(code, 1)
  assert.match(stderr, /^error: Line 3 \(seq 3, .*, points_ingested, 31\) does not match its hash/)
  const answer = JSON.parse(stdout) as { valid: boolean; first_differing_line: object; findings: string[] }
  assert.deepEqual([answer.valid, answer.first_differing_line], [false, { place: 3, seq: 3 }])
  assert.match(answer.findings.join(' '), /add up to 151 points_ingested; the statement has 150.*signature/)
  const other = await verify('good.json', '--key', createStatementKey('the secret key of somebody else, 32').publicKey)
  assert.equal(other.code, 1)
  assert.match(other.stdout, /not valid\nThe signature is not that of the key given/)
})

test('the content of a statement is printed without the control characters somebody put in, and a draft as one', async () => {
  const text = JSON.stringify({ ...statement, status: 'draft', subClientId: null, resellerId: 'north\u001b[2J\u009b1m\u202e' })
  const { code, stdout } = await roadworthy(['verify-statement', '-'], { cwd: folder, input: text })
  assert.equal(code, 1)
  assert.match(stdout, /^reseller +north\ufffd\[2J\ufffd1m\ufffd$/m)
  assert.match(
    stdout,
    /^sub-client +none: what belongs to no sub-client\nmonth .*\nstate +draft: it grows, and lags the usage report by up to 16 minutes$/m,
  )
})

test('what is no file, or no JSON, ends with 2', async () => {
  for (const file of ['missing.json', 'no.json']) assert.equal((await verify(file)).code, 2)
})
