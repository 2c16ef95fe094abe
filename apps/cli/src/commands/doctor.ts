import { existsSync, statSync } from 'node:fs'
import { credentialsPath } from '@roadworthy/platform/main/credentials'
import type { Command } from 'commander'
import { type Context, examples, handle, type Surroundings, urlOf } from '../command.ts'
import { CommandFailure, describeFailure, NothingThere } from '../failure.ts'
import { describeRefusal, request, requestOk } from '../http-client.ts'
import { knockAtBroker } from '../knock-at-broker.ts'
import { withDatabase } from '../operator.ts'
import { coloured } from '../output.ts'

type DoctorOptions = { engineUrl?: string; mqttUrl?: string }
type Finding = { readonly name: string; readonly status: 'ok' | 'wrong' | 'skipped'; readonly detail: string }

/** Type stripping without a warning. */
const MINIMUM_NODE = [24, 12] as const
/** The platform takes readings up to five minutes ahead; a minute is a clock that nobody sets. The Date header is whole seconds. */
const MAX_SKEW_S = 60

export function addDoctor(program: Command, surroundings: Surroundings): void {
  program
    .command('doctor')
    .description('check this installation piece by piece; exit code 1 when something is wrong')
    .option('--engine-url <url>', "ML engine to look at (default: the instance's own)", urlOf('http:', 'https:'))
    .option('--mqtt-url <url>', "broker to look at (default: the instance's own)", urlOf('mqtt:', 'mqtts:'))
    .addHelpText('after', examples('npx roadworthy doctor', 'npx roadworthy doctor --data-dir .data --json'))
    .action(handle<DoctorOptions>(surroundings, doctor))
}

async function doctor(context: Context, options: DoctorOptions): Promise<void> {
  const { instance, out } = context
  const findings = await look('node', checkNode)
  const cause = await findCause(context, findings)
  findings.push(
    ...(await look('api key', () => checkKey(instance.baseUrl(), instance.apiKey()), cause)),
    ...(await look('clock', () => checkClock(context), cause)),
    ...(cause === undefined ? await checkReadiness(context) : [skippedFor('ready', cause)]),
    ...(await look('engine', () => checkEngine(instance.engineUrl(options.engineUrl)), cause)),
    ...(await look('mqtt', () => checkMqtt(instance.mqttUrl(options.mqttUrl)), cause)),
    ...(await look('database', () => checkDatabase(context), cause)),
  )
  const isOk = findings.every(({ status }) => status !== 'wrong')
  out.answer({ ok: isOk, checks: findings }, () => findings.map(toLine).join('\n'))
  const wrong = findings.filter(({ status }) => status === 'wrong').map(({ name }) => name)
  if (!isOk) throw new CommandFailure(`Something is wrong with: ${wrong.join(', ')}.`)
}

type Outcome = string | { skipped: string }
type Check = () => Promise<Outcome> | Outcome

/**
 * Looks whether there is a service to examine. Where there is none, returns the name of the check that shows why: what else does not answer is
 * silent for the same reason, which is not repeated.
 */
async function findCause(context: Context, findings: Finding[]): Promise<string | undefined> {
  const { instance } = context
  const steps: { name: string; check: Check }[] = [
    { name: 'data folder', check: () => checkDataDir(context) },
    { name: 'credentials', check: () => checkCredentials(context) },
    { name: 'api', check: () => checkApi(instance.baseUrl()) },
  ]
  let cause: string | undefined
  for (const { name, check } of steps) {
    const { finding, error } = cause === undefined ? await examine(name, check) : { finding: skippedFor(name, cause) }
    findings.push(finding)
    if (error instanceof NothingThere) cause = name
  }
  return cause
}

function skippedFor(name: string, cause: string): Finding {
  return { name, status: 'skipped', detail: `not there either: see ${cause}` }
}

/** `cause`: why there may be nothing to look at, which was reported already. */
async function look(name: string, check: Check, cause?: string): Promise<Finding[]> {
  const { finding, error } = await examine(name, check)
  return [cause !== undefined && error instanceof NothingThere ? skippedFor(name, cause) : finding]
}

/** A check reports what it found, or throws what is wrong. */
async function examine(name: string, check: Check): Promise<{ finding: Finding; error?: unknown }> {
  try {
    const outcome = await check()
    if (typeof outcome === 'string') return { finding: { name, status: 'ok', detail: outcome } }
    return { finding: { name, status: 'skipped', detail: outcome.skipped } }
  } catch (error) {
    return { finding: { name, status: 'wrong', detail: describeFailure(error).message }, error }
  }
}

function checkNode(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isRecent = major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])
  if (!isRecent) throw new CommandFailure(`${process.versions.node} is older than ${MINIMUM_NODE.join('.')}. Run "npm ci".`)
  return `${process.versions.node} at ${process.execPath}`
}

function checkDataDir({ instance: { dataDir, isElsewhere } }: Context): Outcome {
  if (!existsSync(dataDir)) return isElsewhere ? { skipped: `no ${dataDir} here` } : nothingIn(dataDir)
  if (!statSync(dataDir).isDirectory()) return fail(`${dataDir} is not a folder.`)
  return dataDir
}

function checkCredentials({ instance: { dataDir, credentials, isElsewhere } }: Context): Outcome {
  const path = credentialsPath(dataDir)
  if (credentials === undefined) {
    if (existsSync(path)) return fail(`${path} is damaged. Stop the service, remove the file and start again: new credentials are made.`)
    return isElsewhere ? { skipped: 'address and key are given' } : nothingIn(path)
  }
  const isOpen = process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
  if (isOpen) return fail(`${path} can be read by others on this machine. Run: chmod 600 ${path}`)
  return path
}

async function checkApi(baseUrl: string): Promise<string> {
  const { status, version } = await requestOk(`${baseUrl}/api/external/health`)
  return `${baseUrl} is ${String(status)}, version ${String(version)}`
}

/** A key without the scope is still a good key. */
async function checkKey(baseUrl: string, apiKey: string): Promise<string> {
  const answer = await request(`${baseUrl}/api/v1/vehicles?limit=1`, { apiKey })
  if (answer.status === 200) return 'accepted'
  const { code } = (answer.body['error'] ?? {}) as { code?: unknown }
  return code === 'missing_scope' ? 'accepted, with narrow scopes' : fail(describeRefusal(answer, baseUrl))
}

async function checkClock({ instance, now }: Context): Promise<string> {
  const { headers } = await request(`${instance.baseUrl()}/livez`)
  const theirsMs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(theirsMs)) return fail('the answer has no Date header')
  const skewS = Math.round((now().getTime() - theirsMs) / 1000)
  if (Math.abs(skewS) <= MAX_SKEW_S) return `${Math.abs(skewS)} s apart from the service`
  return fail(`this machine's clock is ${Math.abs(skewS)} s ${skewS > 0 ? 'ahead of' : 'behind'} the service's. Set both by NTP.`)
}

/** Each of the service's own checks by its name. */
async function checkReadiness({ instance }: Context): Promise<Finding[]> {
  try {
    const { body, status } = await request(`${instance.baseUrl()}/readyz`)
    const checks = Object.entries((body['checks'] ?? {}) as Record<string, { ok: boolean; detail: string }>)
    const ready: Finding = { name: 'ready', status: status === 200 ? 'ok' : 'wrong', detail: String(body['status'] ?? status) }
    return [ready, ...checks.map(([name, { ok, detail }]): Finding => ({ name: `ready: ${name}`, status: ok ? 'ok' : 'wrong', detail }))]
  } catch (error) {
    return [{ name: 'ready', status: 'wrong', detail: describeFailure(error).message }]
  }
}

async function checkEngine(engineUrl: string): Promise<string> {
  const { status, version, models_loaded: isLoaded } = await requestOk(`${engineUrl}/v1/health`)
  const outcome = `${engineUrl} is ${String(status)}, version ${String(version)}, models ${isLoaded === true ? '' : 'not '}loaded`
  return status === 'healthy' ? outcome : fail(outcome)
}

async function checkMqtt(mqttUrl: string | undefined): Promise<Outcome> {
  if (mqttUrl === undefined) return { skipped: 'the broker is not known; give --mqtt-url' }
  return await knockAtBroker(mqttUrl)
}

async function checkDatabase({ env, instance: { dataDir, isElsewhere } }: Context): Promise<Outcome> {
  if (env['DATABASE_URL'] === undefined && isElsewhere) return { skipped: 'the instance runs elsewhere' }
  const version = await withDatabase(env, dataDir, async (database) => {
    const { rows } = await database.systemPool.query<{ server_version: string }>('show server_version')
    return rows[0]?.server_version
  })
  return `PostgreSQL ${version} lets the service's roles in`
}

function toLine({ name, status, detail }: Finding): string {
  const mark = { ok: coloured('green', 'ok    '), wrong: coloured('red', 'WRONG '), skipped: coloured('dim', 'skip  ') }[status]
  return `${mark} ${name.padEnd(16)} ${detail}`
}

function nothingIn(path: string): never {
  throw new NothingThere(`There is no ${path}. Start the service once ("npx roadworthy up"), or name its folder with --data-dir.`)
}

function fail(message: string): never {
  throw new CommandFailure(message)
}
