import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { decodeLicense, issueLicense, type Judgement, judgeLicense, type License, readPublicKey } from '@roadworthy/engine/license/license'
import { type Command, InvalidArgumentError } from 'commander'
import { type Context, examples, handle, integerFrom, RequiredOption, type Surroundings } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { coloured } from '../output.ts'

type IssueOptions = { key: string; newKey?: boolean; licensee: string; days: number; graceDays: number }
type InspectOptions = { publicKey?: string }

const DAY_MS = 86_400_000
const MAX_DAYS = 36_500
const MAX_GRACE_DAYS = 365
const DEFAULT_GRACE_DAYS = 14
/** As the licence holds it. */
const MAX_LICENSEE_LENGTH = 200
/** Its owner alone may read a private key. */
const PRIVATE_MODE = 0o600

export function addLicense(program: Command, surroundings: Surroundings): void {
  const license = program
    .command('license')
    .description('licences of the ML engine, edition byol: issue and inspect them, without any server')
  license
    .command('issue')
    .description('sign a licence with a private key; what is printed goes into ENGINE_LICENSE_KEY')
    .addOption(new RequiredOption('--key <file>', 'private key, Ed25519 in PEM; its public half is written beside it as <file>.pub'))
    .option('--new-key', 'make that key first; refused when the file is there')
    .addOption(new RequiredOption('--licensee <name>', 'who it is for').argParser(licenseeFrom))
    .option('--days <n>', 'for how many days from now; a negative number makes one that has expired, to try it out', daysFrom, 365)
    .option(
      '--grace-days <n>',
      'how long the engine goes on after that, with a warning',
      integerFrom(0, MAX_GRACE_DAYS),
      DEFAULT_GRACE_DAYS,
    )
    .addHelpText(
      'after',
      examples(
        'npx roadworthy license issue --key license.pem --new-key --licensee "North Fleet" --days 365 > license.txt',
        'npx roadworthy license issue --key license.pem --licensee "North Fleet" --json',
      ),
    )
    .action(handle<IssueOptions>(surroundings, issue))
  license
    .command('inspect <license>')
    .description('show what a licence holds, and whether it is good; a file of it, "-" for stdin, or the licence itself')
    .option('--public-key <file>', 'public key to verify it by; without it only its content is shown')
    .addHelpText(
      'after',
      examples(
        'npx roadworthy license inspect license.txt --public-key license.pem.pub',
        'npx roadworthy license inspect - --json < license.txt',
      ),
    )
    .action(handle<InspectOptions>(surroundings, inspect))
}

async function issue({ now, out }: Context, options: IssueOptions): Promise<void> {
  const privatePem = options.newKey === true ? await makeKey(options.key) : await readText(options.key)
  const nowMs = now().getTime()
  // One that has expired is dated back as a whole: it was issued before it ended.
  const issuedAtMs = Math.min(nowMs, nowMs + options.days * DAY_MS)
  const license: License = {
    id: randomUUID(),
    licensee: options.licensee,
    issued_at: new Date(issuedAtMs).toISOString(),
    expires_at: new Date(nowMs + options.days * DAY_MS).toISOString(),
    grace_days: options.graceDays,
  }
  const { token, publicKey } = sign(license, privatePem, options.key)
  out.answer({ license_key: token, public_key: publicKey, ...license }, () => token)
  out.note(`For ${license.licensee}, until ${license.expires_at} and ${license.grace_days} days of grace. It is verified by`)
  out.note(`ENGINE_LICENSE_PUBLIC_KEY=${publicKey}`)
}

function sign(license: License, privatePem: string, file: string): { token: string; publicKey: string } {
  try {
    const publicKey = createPublicKey(createPrivateKey(privatePem)).export({ type: 'spki', format: 'der' }).toString('base64')
    return { token: issueLicense(license, privatePem), publicKey }
  } catch (error) {
    throw new CommandFailure(`${file} holds no private key that can sign (${(error as Error).message}).`, exitCodes.usage, error)
  }
}

async function makeKey(file: string): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  try {
    await writeFile(file, pem, { mode: PRIVATE_MODE, flag: 'wx' })
    await writeFile(`${file}.pub`, publicKey.export({ type: 'spki', format: 'pem' }).toString())
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const what = code === 'EEXIST' ? 'is there already; leave out --new-key to sign with it' : `cannot be written (${code})`
    throw new CommandFailure(`${file} ${what}.`, exitCodes.usage, error)
  }
  return pem
}

async function inspect({ now, out }: Context, { publicKey: publicKeyFile }: InspectOptions, given = ''): Promise<void> {
  const token = (given === '-' ? await text(process.stdin) : given.startsWith('rwl1.') ? given : await readText(given)).trim()
  const publicKey = publicKeyFile === undefined ? undefined : readKey(await readText(publicKeyFile), publicKeyFile)
  const judgement = judgeLicense(token, publicKey, now().getTime())
  const license = decodeLicense(token)?.license
  const isUnchecked = judgement.state === 'no_key'
  const message = isUnchecked ? 'The signature was not checked: name the public key with --public-key.' : judgement.message
  out.answer({ status: isUnchecked ? 'unchecked' : judgement.state, message, ...license }, () => describe(judgement, message, license))
  if (!['valid', 'grace', 'no_key'].includes(judgement.state)) throw new CommandFailure(message)
}

function describe({ state }: Judgement, message: string, license: License | undefined): string {
  const shown = state === 'no_key' ? coloured('yellow', 'unchecked') : coloured(state === 'valid' ? 'green' : 'red', state)
  // Anybody may have written it: a line of its own, or a colour, could look like the status.
  const rows = Object.entries(license ?? {}).map(([name, value]) => [name, withoutControls(String(value))])
  return [['status', shown], ...rows, ['message', withoutControls(message)]]
    .map(([name = '', value]) => `${name.padEnd(12)}${value}`)
    .join('\n')
}

function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd')
}

function readKey(pem: string, file: string) {
  try {
    return readPublicKey(pem)
  } catch (error) {
    throw new CommandFailure(`${file} holds no Ed25519 public key (${(error as Error).message}).`, exitCodes.usage, error)
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, exitCodes.usage, error)
  }
}

function licenseeFrom(given: string): string {
  if (given.trim() !== '' && given.length <= MAX_LICENSEE_LENGTH && !/\p{Cc}/u.test(given)) return given
  throw new InvalidArgumentError(`A name of 1 to ${MAX_LICENSEE_LENGTH} characters on one line is wanted.`)
}

function daysFrom(given: string): number {
  const isNegative = given.startsWith('-')
  const days = integerFrom(0, MAX_DAYS)(isNegative ? given.slice(1) : given)
  return isNegative ? -days : days
}
