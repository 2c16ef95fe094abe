import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { credentialsPath } from '@roadworthy/platform/main/credentials'
import { connectionsOf } from '@roadworthy/platform/main/database/connections'
import { rolesOf } from '@roadworthy/platform/main/roles'
import { keptSecretKey } from '@roadworthy/platform/main/secret-key'
import { historyPlaceOf } from '@roadworthy/platform/main/settings/history-settings'
import { type PlatformConfiguration, readInvocation } from '@roadworthy/platform/main/settings/settings'
import { SERVICE_VERSION } from '@roadworthy/platform/surfaces/service-version'
import { findRunningPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import type { Command } from 'commander'
import { type Context, examples, handle, type Surroundings, urlOf } from '../command.ts'
import { checkBaseUrl } from '../doctor/check-base-url.ts'
import { checkCertificateFiles, checkServerCertificate, nameForDevices } from '../doctor/check-certificate.ts'
import { checkDataFolder } from '../doctor/check-data-folder.ts'
import { checkDatabase } from '../doctor/check-database.ts'
import { checkHistory } from '../doctor/check-history.ts'
import { checkBuild, checkDisk, checkMachine, thisMachine } from '../doctor/check-machine.ts'
import { checkNames, namedHosts } from '../doctor/check-names.ts'
import { checkBroker, checkEngine, checkMail } from '../doctor/check-others.ts'
import { checkPooler } from '../doctor/check-pooler.ts'
import { checkPorts } from '../doctor/check-ports.ts'
import { checkProcessWithoutApi, checkReadiness, engineKeyFor, noBroker } from '../doctor/check-process.ts'
import { checkSpelling } from '../doctor/check-spelling.ts'
import { checkWorker } from '../doctor/check-worker.ts'
import { findSealed } from '../doctor/sealed-facts.ts'
import { readEnvFile } from '../env-file.ts'
import { CommandFailure, describeFailure, NothingThere } from '../failure.ts'
import { type Finding, namesOf, okay, skip, toLines, warning, wrong } from '../finding.ts'
import { describeRefusal, request, requestOk } from '../http-client.ts'

type DoctorOptions = { engineUrl?: string; mqttUrl?: string; envFile?: string }

/** The platform takes readings up to five minutes ahead; a minute is a clock that nobody sets. The Date header is whole seconds. */
const MAX_SKEW_S = 60
const WHY_DATA_FOLDER = 'It has the database, the key and the credentials of the instance.'
const ROOT = resolve(import.meta.dirname, '../../../..')

export function addDoctor(program: Command, surroundings: Surroundings): void {
  program
    .command('doctor')
    .description(
      'check this installation piece by piece: what is wrong, why it matters and what to do; exit code 1 when something is wrong',
    )
    .option('--engine-url <url>', "ML engine to look at (default: the instance's own)", urlOf('http:', 'https:'))
    .option('--mqtt-url <url>', "broker to look at (default: the instance's own)", urlOf('mqtt:', 'mqtts:'))
    .option('--env-file <file>', 'the environment of the service, as systemd and Compose read it, in place of this one')
    .addHelpText('after', examples('npx roadworthy doctor', 'npx roadworthy doctor --data-dir .data --json'))
    .action(handle<DoctorOptions>(surroundings, doctor))
}

async function doctor(given: Context, options: DoctorOptions): Promise<void> {
  const env = options.envFile === undefined ? given.env : readEnvFile(resolve(given.cwd, options.envFile))
  const context = { ...given, env }
  const { findings: ofSettings, configuration } = readSettings(context)
  const machine = thisMachine(env['TZ'], configuration?.secrets.databaseUrl === undefined)
  const findings = [
    ...[...checkMachine(machine), checkBuild(ROOT), ...ofSettings, ...checkSpelling(env)],
    ...(await checkRunning(context, options, configuration)),
    ...(configuration === undefined ? [] : await checkSurroundings(context, configuration)),
  ]
  const isOk = findings.every(({ status }) => status !== 'wrong')
  context.out.answer({ ok: isOk, checks: findings }, () => findings.map(toLines).join('\n'))
  if (!isOk) throw new CommandFailure(`Something is wrong with: ${[...new Set(namesOf(findings, 'wrong'))].join(', ')}.`)
}

/** As a start reads them: wrong ones keep it from starting. */
function readSettings({ env, instance }: Context): { findings: Finding[]; configuration: PlatformConfiguration | undefined } {
  const invocation = readInvocation(['--data-dir', instance.dataDir], env)
  if (invocation.kind === 'run') return { findings: [okay('settings', 'a start would take them')], configuration: invocation.configuration }
  const detail = invocation.text.trim().replace(/\s*\n\s*/g, ' ')
  const fix = 'Correct each. "npx roadworthy config" shows all of them and where they come from.'
  return { findings: [wrong('settings', { detail, why: 'The service does not start with them.', fix })], configuration: undefined }
}

/** The folder of the instance, and the processes of it that run. */
async function checkRunning(
  context: Context,
  options: DoctorOptions,
  configuration: PlatformConfiguration | undefined,
): Promise<Finding[]> {
  const { instance } = context
  if (configuration !== undefined && !instance.isElsewhere && !rolesOf(configuration.settings).has('api')) {
    const { isNothingThere: _, ...found } = await examine('data folder', WHY_DATA_FOLDER, () => checkDataDir(context))
    const ofFolder = found.status === 'ok' ? [...checkDataFolder(instance.dataDir), checkDisk(instance.dataDir)] : []
    return [found, ...ofFolder, ...(await checkProcessWithoutApi({ ...options, configuration }))]
  }
  const { findings, cause } = await checkInstance(context)
  return [...findings, ...(await checkService(context, options, { cause, configuration }))]
}

type Checked = { readonly findings: Finding[]; readonly cause: string | undefined }

/**
 * Whether there is a service to examine. Where there is none, `cause` is the name of the check that shows why: what else does not answer is
 * silent for the same reason, which is not repeated.
 */
async function checkInstance(context: Context): Promise<Checked> {
  const { instance } = context
  const steps: { name: string; why: string; check: () => Promise<Finding> | Finding }[] = [
    { name: 'data folder', why: WHY_DATA_FOLDER, check: () => checkDataDir(context) },
    { name: 'credentials', why: 'They are how this command finds the instance and signs in.', check: () => checkCredentials(context) },
    { name: 'api', why: 'Nobody reaches the service.', check: () => checkApi(instance.baseUrl()) },
  ]
  const findings: Finding[] = []
  let cause: string | undefined
  for (const { name, why, check } of steps) {
    const finding = cause === undefined ? await examine(name, why, check) : { ...skippedFor(name, cause), isNothingThere: false }
    const { isNothingThere, ...found } = finding
    findings.push(found)
    if (isNothingThere) cause = name
    if (name === 'data folder' && found.status === 'ok') findings.push(...checkDataFolder(instance.dataDir), checkDisk(instance.dataDir))
  }
  return { findings, cause }
}

type Service = { readonly cause: string | undefined; readonly configuration: PlatformConfiguration | undefined }

async function checkService(context: Context, options: DoctorOptions, { cause, configuration }: Service): Promise<Finding[]> {
  const { instance } = context
  if (cause !== undefined) {
    const isStopped = cause === 'api' && configuration !== undefined && !instance.isElsewhere
    const ports = isStopped ? [await checkPorts(configuration.settings)] : []
    const own = ['api key', 'clock', 'ready', 'engine', 'mqtt'].map((name) => skippedFor(name, cause))
    return [...ports, ...own]
  }
  const [key, clock] = await Promise.all([
    examine('api key', 'Calls with it are refused.', () => checkKey(instance.baseUrl(), instance.apiKey())),
    examine('clock', 'Readings of the future are refused, and sessions end too early.', () => checkClock(context)),
  ])
  const engineUrl = await examine('engine', 'Vehicles are not scored.', () => {
    // Credentials have the one of the last start.
    const ofSettings = instance.isElsewhere ? undefined : configuration?.settings.engineUrl
    const url = instance.engineUrl(options.engineUrl ?? ofSettings)
    return checkEngine(url, engineKeyFor(url, configuration))
  })
  return [
    ...[key, clock].map(({ isNothingThere: _, ...finding }) => finding),
    ...(await checkReadiness(instance.baseUrl())),
    ...[engineUrl].map(({ isNothingThere: _, ...finding }) => finding),
    await checkOwnBroker(context, options, configuration),
  ]
}

async function checkOwnBroker(
  { instance }: Context,
  { mqttUrl }: DoctorOptions,
  configuration: PlatformConfiguration | undefined,
): Promise<Finding> {
  const settings = configuration?.settings
  const isOfAnother = settings !== undefined && !instance.isElsewhere && !rolesOf(settings).has('receivers')
  if (mqttUrl === undefined && isOfAnother && settings.mqttBrokerUrl === undefined) return noBroker()
  return await checkBroker(instance.mqttUrl(mqttUrl))
}

/** What the settings name: the database, other hosts, certificates, the way from outside. */
async function checkSurroundings({ instance, now }: Context, { settings, secrets }: PlatformConfiguration): Promise<Finding[]> {
  const { baseUrl, mqttPublicHost, mqttTlsCertFile: certFile, mqttTlsKeyFile: keyFile, port } = settings
  const { databaseUrl: poolerUrl, databaseSessionUrl: sessionUrl } = secrets
  const databaseUrl = sessionUrl ?? poolerUrl
  const ownerUrl = databaseUrl ?? (instance.isElsewhere ? undefined : findRunningPostgres(instance.dataDir))
  const secretKey = secrets.secretKey ?? keptSecretKey(instance.dataDir)
  const connectionCount = connectionsOf(rolesOf(settings), settings).total
  const host = nameForDevices(mqttPublicHost, baseUrl)
  return [
    ...(ownerUrl === undefined
      ? [skip('database', instance.isElsewhere ? 'the instance runs elsewhere' : 'the embedded one does not run')]
      : await checkDatabase({ ownerUrl, secretKey, connectionCount, now })),
    ...(poolerUrl === undefined || sessionUrl === undefined ? [] : [await checkPooler({ poolerUrl, ownerUrl: sessionUrl, secretKey })]),
    ...(ownerUrl === undefined ? [] : [await checkWorker(ownerUrl, secretKey)]),
    instance.isElsewhere
      ? skip('history', 'the instance runs elsewhere')
      : await checkHistory(
          historyPlaceOf(settings, secrets.historyS3SecretAccessKey, secrets.databaseUrl === undefined),
          await findSealed(ownerUrl, secretKey),
        ),
    await checkNames(namedHosts({ settings, secrets })),
    ...(certFile === undefined || keyFile === undefined
      ? []
      : [checkCertificateFiles('mqtt tls', { certFile, keyFile, host, now: now() })]),
    ...(baseUrl === undefined || !rolesOf(settings).has('api')
      ? [skip('base url', baseUrl === undefined ? 'BASE_URL is not set' : 'ask where ROLES has api')]
      : await checkOutside(baseUrl, { port, apiKey: apiKeyOf(instance), now: now() })),
    await checkMail(secrets.smtpUrl),
  ]
}

type Outside = { readonly port: number; readonly apiKey: string | undefined; readonly now: Date }

async function checkOutside(baseUrl: string, { port, apiKey, now }: Outside): Promise<Finding[]> {
  const { protocol, hostname, port: given } = new URL(baseUrl)
  if (protocol === 'https:') {
    const tls = await checkServerCertificate('tls', { host: hostname.replace(/^\[|\]$/g, ''), port: Number(given || 443), now })
    // What is refused by everybody is not looked at further.
    if (tls.status === 'wrong') return [tls]
    return [tls, ...(await checkBaseUrl({ publicUrl: baseUrl, directUrl: `http://127.0.0.1:${port}`, apiKey }))]
  }
  return await checkBaseUrl({ publicUrl: baseUrl, directUrl: `http://127.0.0.1:${port}`, apiKey })
}

function apiKeyOf({ apiKey }: Context['instance']): string | undefined {
  try {
    return apiKey()
  } catch (error) {
    if (error instanceof CommandFailure) return undefined
    throw error
  }
}

function skippedFor(name: string, cause: string): Finding {
  return skip(name, `not there either: see ${cause}`)
}

/** A check returns what it found, or throws what is wrong with what to do. */
async function examine(name: string, why: string, check: () => Promise<Finding> | Finding): Promise<Finding & { isNothingThere: boolean }> {
  try {
    return { ...(await check()), isNothingThere: false }
  } catch (error) {
    const [detail = '', ...rest] = describeFailure(error).message.split(/(?<=\.) (?=[A-Z"])/)
    const fix = rest.join(' ') || 'Start the service, or correct what is named here.'
    return { ...wrong(name, { detail, why, fix }), isNothingThere: error instanceof NothingThere }
  }
}

function checkDataDir({ instance: { dataDir, isElsewhere } }: Context): Finding {
  if (!existsSync(dataDir)) return isElsewhere ? skip('data folder', `no ${dataDir} here`) : nothingIn(dataDir)
  if (!statSync(dataDir).isDirectory()) throw new NothingThere(`${dataDir} is not a folder. Name another with --data-dir.`)
  return okay('data folder', dataDir)
}

function checkCredentials({ instance: { dataDir, credentials, isElsewhere } }: Context): Finding {
  const path = credentialsPath(dataDir)
  if (credentials !== undefined) return okay('credentials', path)
  if (existsSync(path))
    throw new CommandFailure(`${path} is damaged. Stop the service, remove the file and start again: new credentials are made.`)
  return isElsewhere ? skip('credentials', 'address and key are given') : nothingIn(path)
}

async function checkApi(baseUrl: string): Promise<Finding> {
  const { status, version } = await requestOk(`${baseUrl}/api/external/health`)
  const detail = `${baseUrl} is ${String(status)}, version ${String(version)}`
  if (version === SERVICE_VERSION) return okay('api', detail)
  return warning('api', {
    detail: `${detail}; this checkout is ${SERVICE_VERSION}.`,
    why: 'The service was started before the checkout was changed, or another one is looked at. Commands may not fit it.',
    fix: 'Restart the service from this checkout, or use the command line of the version that runs.',
  })
}

/** A key without the scope is still a good key. */
async function checkKey(baseUrl: string, apiKey: string): Promise<Finding> {
  const answer = await request(`${baseUrl}/api/v1/vehicles?limit=1`, { apiKey })
  if (answer.status === 200) return okay('api key', 'accepted')
  const { code } = (answer.body['error'] ?? {}) as { code?: unknown }
  if (code === 'missing_scope') return okay('api key', 'accepted, with narrow scopes')
  throw new CommandFailure(describeRefusal(answer, baseUrl))
}

async function checkClock({ instance, now }: Context): Promise<Finding> {
  const { headers } = await request(`${instance.baseUrl()}/livez`)
  const theirsMs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(theirsMs)) throw new CommandFailure('the answer has no Date header. Have the proxy pass it on.')
  const skewS = Math.round((now().getTime() - theirsMs) / 1000)
  if (Math.abs(skewS) <= MAX_SKEW_S) return okay('clock', `${Math.abs(skewS)} s apart from the service`)
  throw new CommandFailure(
    `this machine's clock is ${Math.abs(skewS)} s ${skewS > 0 ? 'ahead of' : 'behind'} the service's. Set both by NTP (timedatectl set-ntp true).`,
  )
}

function nothingIn(path: string): never {
  throw new NothingThere(`There is no ${path}. Start the service once ("npx roadworthy up"), or name its folder with --data-dir.`)
}
