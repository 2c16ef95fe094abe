import { type Verification, verifyStatement } from '@roadworthy/platform/metering/statement'
import type { Command } from 'commander'
import { type Context, examples, handle, type Surroundings } from '../command.ts'
import { CommandFailure } from '../failure.ts'
import { coloured } from '../output.ts'
import { readDocument, readKey, withoutControls } from '../signed-document.ts'

type VerifyOptions = { key?: string }
type UsageStatement = NonNullable<Verification['statement']>

export function addVerifyStatement(program: Command, surroundings: Surroundings): void {
  program
    .command('verify-statement <file>')
    .description('recompute a monthly usage statement without the service: its chain of lines, its totals, its signature')
    .option('--key <key>', 'public key it must be signed with: base64, PEM, or a file of either; else the one it names itself')
    .addHelpText(
      'after',
      examples(
        'npx roadworthy verify-statement usage-north-acme-2026-10.json --key statement-key.pub',
        'npx roadworthy verify-statement - --json < usage-north-acme-2026-10.json',
      ),
    )
    .action(handle<VerifyOptions>(surroundings, verify))
}

async function verify({ out }: Context, { key }: VerifyOptions, file = ''): Promise<void> {
  const document = await readDocument(file)
  const verification = verifyStatement(document, key === undefined ? undefined : await readKey(key))
  const { isValid, findings, firstDifferingLine, isKeyGiven, statement } = verification
  const answer = {
    valid: isValid,
    ...(statement === undefined ? {} : contentOf(statement)),
    first_differing_line: firstDifferingLine ?? null,
    findings,
    key_given: isKeyGiven,
  }
  out.answer(answer, () => describe(verification))
  if (!isValid) throw new CommandFailure(findings[0] ?? 'It is not valid.')
  if (!isKeyGiven) out.note('It is signed by the key it names itself. Give --key to know whose that is: GET /api/v1/usage/statement-key.')
}

function contentOf({ resellerId, subClientId, month, status, totals }: UsageStatement) {
  return { reseller_id: resellerId, sub_client_id: subClientId, month, status, totals }
}

function describe({ isValid, findings, statement }: Verification): string {
  const verdict = isValid ? coloured('green', 'valid') : coloured('red', 'not valid')
  return [verdict, ...findings, ...(statement === undefined ? [] : ['', ...describeContent(statement)])].join('\n')
}

/** Whose it is and what it comes to. */
function describeContent({ resellerId, subClientId, month, timeZone, status, totals }: UsageStatement): string[] {
  const rows = [
    ['reseller', resellerId],
    ['sub-client', subClientId ?? 'none: what belongs to no sub-client'],
    ['month', `${month} (${timeZone})`],
    ['state', status === 'final' ? 'final' : 'draft: it grows, and lags the usage report by up to 16 minutes'],
    ...Object.entries(totals).map(([meter, count]) => [meter, String(count)]),
  ]
  const width = Math.max(...rows.map(([name = '']) => name.length))
  return rows.map(([name = '', value = '']) => `${name.padEnd(width)}  ${withoutControls(value)}`)
}
