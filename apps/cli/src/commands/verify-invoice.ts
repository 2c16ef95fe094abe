import { verifyInvoiceStatement } from '@roadworthy/platform/billing/ledger/invoice-statement'
import type { Command } from 'commander'
import { type Context, examples, handle, type Surroundings } from '../command.ts'
import { CommandFailure } from '../failure.ts'
import { coloured } from '../output.ts'
import { readDocument, readKey, withoutControls } from '../signed-document.ts'

type VerifyOptions = { publicKey?: string }

export function addVerifyInvoice(program: Command, surroundings: Surroundings): void {
  program
    .command('verify-invoice <file>')
    .description(
      'check an invoice or a credit note without the service: every line and tax is made again from its statement, and the signature is checked',
    )
    .option('--public-key <key>', 'key it must be signed with: base64, PEM, or a file of either; else the one it names itself')
    .addHelpText(
      'after',
      examples(
        'npx roadworthy verify-invoice INV-000042-statement.json --public-key statement-key.pub',
        'npx roadworthy verify-invoice - --json < INV-000042-statement.json',
      ),
    )
    .action(handle<VerifyOptions>(surroundings, verify))
}

async function verify({ out }: Context, { publicKey }: VerifyOptions, file = ''): Promise<void> {
  const document = await readDocument(file)
  const verification = verifyInvoiceStatement(document, publicKey === undefined ? undefined : await readKey(publicKey))
  const { isValid, findings, firstDifferingLine, isKeyGiven, statement } = verification
  const { number = null, issuerId = null, month = null, currency = null, totalMinor = null } = statement?.invoice ?? {}
  const facts = { number, issuer_id: issuerId, month, currency, total_minor: totalMinor }
  out.answer({ valid: isValid, ...facts, first_differing_line: firstDifferingLine ?? null, findings, key_given: isKeyGiven }, () =>
    [
      isValid ? coloured('green', 'valid') : coloured('red', 'not valid'),
      ...findings.map(withoutControls),
      '',
      ...Object.entries(facts).map(([name, value]) => `${name.padEnd(12)}${withoutControls(String(value ?? ''))}`),
    ].join('\n'),
  )
  if (!isValid) throw new CommandFailure(withoutControls(findings[0] ?? 'It is not valid.'))
  if (!isKeyGiven)
    out.note('It is signed by the key it names itself. Give --public-key to know whose that is: GET /api/v1/usage/statement-key.')
}
