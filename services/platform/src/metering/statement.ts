// Monthly statements: the lines of one chain that fall in a month, what they add up to, and a signature over all of it. Whoever has the file
// can check it without the service.

import { UsageStatement } from '@roadworthy/contracts/platform-v1/usage'
import { canonicalJson } from '@roadworthy/service-kit/text/canonical-json'
import type { Period } from '@roadworthy/service-kit/time/zoned-time'
import { Value } from 'typebox/value'
import { type LedgerMeter, noTotals, reportedMeter, type Totals } from './meters.ts'
import { isSignedBy, readPublicKey, type StatementKey } from './statement-key.ts'
import { type ChainOwner, firstHash, hashOfLine, type SealedLine } from './usage-chain.ts'

type StatementLine = UsageStatement['lines'][number]

/** `previous` is the hash before the first of the lines, which follow each other without gaps. */
export function buildStatement(
  given: {
    readonly owner: ChainOwner
    readonly timeZone: string
    readonly month: Period
    readonly lines: readonly SealedLine[]
    readonly previous: Buffer | undefined
    readonly isFinal: boolean
  },
  key: StatementKey,
): UsageStatement {
  const { owner, month } = given
  const lines = given.lines.map(({ seq, bucket, meter, count, hash }): StatementLine => {
    return { seq, bucket: bucket.toISOString(), meter, count, hash: hash.toString('hex') }
  })
  const content: Omit<UsageStatement, 'signature'> = {
    statement: 'roadworthy-usage-1',
    status: given.isFinal ? 'final' : 'draft',
    resellerId: owner.resellerId,
    subClientId: owner.subClientId === '' ? null : owner.subClientId,
    month: month.label,
    timeZone: given.timeZone,
    from: new Date(month.fromMs).toISOString(),
    to: new Date(month.untilMs).toISOString(),
    totals: addUp(lines, month),
    previousHash: given.previous?.toString('hex') ?? null,
    lines,
    publicKey: key.publicKey,
  }
  return { ...content, signature: key.sign(canonicalJson(content)) }
}

function addUp(lines: readonly StatementLine[], month: Period): Totals {
  const totals = noTotals()
  for (const { bucket, meter, count } of lines) {
    const atMs = Date.parse(bucket)
    const reported = reportedMeter(meter as LedgerMeter, 'month')
    if (reported !== undefined && atMs >= month.fromMs && atMs < month.untilMs) totals[reported] += count
  }
  return totals
}

export type Verification = {
  readonly isValid: boolean
  /** What is wrong, the first of it first; empty when nothing is. */
  readonly findings: readonly string[]
  /** The first line that does not match its hash. `place` counts from 1. */
  readonly firstDifferingLine: { readonly place: number; readonly seq: number } | undefined
  /** Whether the key was given, so that it is known whose signature it is. */
  readonly isKeyGiven: boolean
  /** What it is, where it has the form of one. Its content is true only where it is valid. */
  readonly statement: UsageStatement | undefined
}

/** Recomputes everything that a statement contains. `publicKey`: by which it must be signed; else by the one it names itself. */
export function verifyStatement(document: unknown, publicKey: string | undefined): Verification {
  const isKeyGiven = publicKey !== undefined
  if (!Value.Check(UsageStatement, document)) {
    const [first] = Value.Errors(UsageStatement, document)
    const where = first === undefined ? '' : `: ${first.instancePath === '' ? 'it' : first.instancePath} ${first.message}`
    return {
      isValid: false,
      findings: [`It is not a statement of this form${where}.`],
      firstDifferingLine: undefined,
      isKeyGiven,
      statement: undefined,
    }
  }
  const firstDifferingLine = findDifferingLine(document)
  const findings = [
    ...(firstDifferingLine === undefined ? [] : [describeLine(document, firstDifferingLine.place)]),
    ...checkTotals(document),
    ...checkSignature(document, publicKey),
  ]
  return { isValid: findings.length === 0, findings, firstDifferingLine, isKeyGiven, statement: document }
}

function findDifferingLine({ lines, previousHash, resellerId, subClientId }: UsageStatement): Verification['firstDifferingLine'] {
  const start = firstHash({ resellerId, subClientId: subClientId ?? '' })
  const isStart = lines[0]?.seq === 1
  let previous = isStart ? start : Buffer.from(previousHash ?? '', 'hex')
  if (isStart && previousHash !== start.toString('hex')) return { place: 1, seq: 1 }
  for (const [nth, line] of lines.entries()) {
    const isNext = line.seq === (lines[0]?.seq ?? 0) + nth
    const hash = hashOfLine(previous, { ...line, meter: line.meter as LedgerMeter, bucket: new Date(line.bucket) })
    if (!isNext || hash.toString('hex') !== line.hash) return { place: nth + 1, seq: line.seq }
    previous = hash
  }
  return undefined
}

function describeLine({ lines }: UsageStatement, place: number): string {
  const line = lines[place - 1]
  const what = line === undefined ? '' : ` (seq ${line.seq}, ${line.bucket}, ${line.meter}, ${line.count})`
  return `Line ${place}${what} does not match its hash, or does not follow the one before.`
}

function checkTotals(statement: UsageStatement): string[] {
  const month = { label: statement.month, fromMs: Date.parse(statement.from), untilMs: Date.parse(statement.to) }
  const findings: string[] = []
  for (const [meter, counted] of Object.entries(addUp(statement.lines, month))) {
    const stated = statement.totals[meter as keyof Totals]
    if (stated !== counted) findings.push(`The lines add up to ${counted} ${meter}; the statement has ${stated}.`)
  }
  return findings
}

function checkSignature({ signature, ...content }: UsageStatement, publicKey: string | undefined): string[] {
  const key = publicKey === undefined ? readPublicKey(content.publicKey) : readPublicKey(publicKey)
  if (key === undefined) return ['There is no Ed25519 public key to check the signature by.']
  const derText = key.export({ type: 'spki', format: 'der' }).toString('base64')
  if (isSignedBy(derText, canonicalJson(content), signature)) return []
  return [`The signature is not that of ${publicKey === undefined ? 'the key in the statement' : 'the key given'} over this content.`]
}
