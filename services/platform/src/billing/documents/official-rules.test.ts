// Electronic invoices against what their receivers check: the XML schemas of UBL 2.1, and the Schematron rules of EN 16931. Both are fetched by
// `tools/setup/get-en16931.ts`, which `.ci/run` runs.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { fc } from '../../../../../test/support/fast-check.ts'
import type { Invoice } from '../invoice.ts'
import { decimalsOf } from '../rating/money.ts'
import { renderInvoiceUbl } from './render-ubl.ts'
import { anyInvoice } from './test-any-invoice.ts'
import { exampleCreditNote, exampleInvoice, exampleLine } from './test-invoices.ts'

const folder = process.env['ROADWORTHY_EN16931'] ?? join(homedir(), '.cache/roadworthy/en16931')
const run = promisify(execFile)
const RUN_BOUND_MS = 240_000
const hasCommand = (command: string, argument: string) => spawnSync(command, [argument], { timeout: RUN_BOUND_MS }).error === undefined

function reasonToSkip(command: string, argument: string): string | false {
  if (!existsSync(join(folder, 'classpath'))) return 'the rules are not there: `node tools/setup/get-en16931.ts` fetches them by Maven'
  return hasCommand(command, argument) ? false : `there is no ${command} command`
}

const { issuer, recipient } = exampleInvoice()
const inEurope = {
  issuer: { ...issuer, countryCode: 'DE', taxNumber: 'DE123456789' },
  recipient: { ...recipient, countryCode: 'FR', taxNumber: 'FR12345678901' },
  currency: 'EUR',
}
const hostile = `<&>"'\u0000\u0008\ud83d ]]> ${'x'.repeat(10_000)}`
const examples: readonly Invoice[] = [
  exampleInvoice(),
  exampleInvoice({ ...inEurope, status: 'paid', paidMinor: 91_304 }),
  exampleInvoice({ ...inEurope, paidMinor: 100_000, dueAt: undefined, footer: undefined, buyerReference: undefined }),
  exampleInvoice({ ...inEurope, taxes: [] }),
  exampleCreditNote(),
  exampleCreditNote(inEurope),
  exampleInvoice({ recipient: { ...recipient, name: hostile, addressLines: [hostile, '', hostile, hostile] }, footer: hostile }),
  exampleInvoice({ lines: [exampleLine({ description: '\u0001', until: exampleLine().from })] }),
]

/** With 3 decimals an amount is more exact than EN 16931 takes (BR-DEC-*); such invoices are valid UBL, and no receiver in the EU gets one. */
const generated = fc.sample(anyInvoice, { numRuns: 100, seed: 16931 })
const all = [...examples, ...generated]
const withinTwoDecimals = all.filter(({ currency }) => decimalsOf(currency) <= 2)

async function writeAll(invoices: readonly Invoice[], into: string): Promise<string[]> {
  const paths = invoices.map((_, nth) => join(into, `${String(nth).padStart(3, '0')}.xml`))
  for (const [nth, path] of paths.entries()) await writeFile(path, renderInvoiceUbl(invoices[nth] ?? exampleInvoice()))
  return paths
}

async function temporaryFolder(t: { after: (work: () => Promise<void>) => void }): Promise<string> {
  const created = await mkdtemp(join(tmpdir(), 'roadworthy-ubl-'))
  t.after(() => rm(created, { recursive: true, force: true }))
  return created
}

test('every electronic invoice is valid by the XML schemas of UBL 2.1', { skip: reasonToSkip('xmllint', '--version') }, async (t) => {
  const files = await temporaryFolder(t)
  const paths = await writeAll(all, files)
  const validate = (given: string[]) => run('xmllint', ['--noout', '--nonet', '--schema', join(folder, 'ubl.xsd'), ...given])

  await validate(paths)
  const broken = join(files, 'broken.xml')
  await writeFile(broken, renderInvoiceUbl(exampleInvoice()).replace(/<cbc:IssueDate>.*<\/cbc:IssueDate>/, ''))
  await assert.rejects(validate([broken]), /IssueDate/)
})

test('every electronic invoice keeps the Schematron rules of EN 16931', { skip: reasonToSkip('java', '-version') }, async (t) => {
  const [files, reports] = [await temporaryFolder(t), await temporaryFolder(t)]
  await writeAll(withinTwoDecimals, files)
  const broken = renderInvoiceUbl(exampleInvoice()).replace(/(<cbc:PayableAmount[^>]*>)[^<]*/, '$11.00')
  await writeFile(join(files, 'broken.xml'), broken)

  const classPath = await readFile(join(folder, 'classpath'), 'utf8')
  const args = ['-cp', classPath, 'net.sf.saxon.Transform', `-s:${files}`, `-o:${reports}`, `-xsl:${join(folder, 'rules.xslt')}`]
  await run('java', args, { timeout: RUN_BOUND_MS })

  const names = await readdir(reports)
  assert.equal(names.length, withinTwoDecimals.length + 1)
  for (const name of names) {
    const report = await readFile(join(reports, name), 'utf8')
    assert.match(report, /svrl:fired-rule/, name)
    const failed = Array.from(report.matchAll(/<svrl:failed-assert[^>]* id="([^"]+)"/g), ([, id]) => id)
    const invoice = withinTwoDecimals[Number.parseInt(name, 10)]
    assert.deepEqual(failed, invoice === undefined ? ['BR-CO-16'] : [], invoice && renderInvoiceUbl(invoice))
  }
})
