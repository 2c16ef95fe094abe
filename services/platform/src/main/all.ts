// `npm start`: PostgreSQL (unless DATABASE_URL), the engine (unless ENGINE_URL), the platform with its roles (all of them unless ROLES), and the demo
// fleet, started in that order and stopped in the reverse one.

import { ACQUIRE_WHILE_STARTING_MS, type DatabaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import type { ChildProgram } from '@roadworthy/service-kit/process/child-program'
import { FolderInUseError } from '@roadworthy/service-kit/process/folder-lock'
import { giveBackMemoryWhenIdle } from '@roadworthy/service-kit/process/idle-memory'
import { Lifecycle } from '@roadworthy/service-kit/process/lifecycle'
import { createLogger, type Logger } from '@roadworthy/service-kit/telemetry/log'
import { type BootstrapResult, bootstrap } from './bootstrap.ts'
import { type RunningPlatform, startPlatform } from './compose.ts'
import {
  type Credentials,
  credentialsPath,
  firstStartText,
  readCredentials,
  setAside,
  withLocalAddresses,
  writeAddresses,
  writeCredentials,
} from './credentials.ts'
import { explainUnanswered, prepareDatabase } from './database/prepare-database.ts'
import { createDemoBusiness } from './demo/demo-business.ts'
import { DEMO_END_BOUND_MS, DEMO_VEHICLES, DemoFleet } from './demo/demo-fleet.ts'
import { type EngineChild, prepareEngineChild } from './engine-child.ts'
import { describeExposure } from './http/exposure.ts'
import { engineTraceVariables, tracingOf } from './http/traces.ts'
import { checkSurroundings, explainListenFailure } from './preflight.ts'
import { restoreAtFirstStart } from './restore/restore-at-start.ts'
import { isBrokerPortUnknown } from './role-settings.ts'
import { hasEveryRole, rolesOf } from './roles.ts'
import { resolveSecretKey } from './secret-key.ts'
import { baseUrlOf, hostAndPort, ownAddressesOf } from './settings/address-settings.ts'
import { walArchiveOf } from './settings/backup-settings.ts'
import { mqttAddressOf } from './settings/broker-settings.ts'
import { historyPlaceOf } from './settings/history-settings.ts'
import {
  childEnvironment,
  listenPorts,
  type PlatformConfiguration,
  type PlatformSettings,
  readInvocation,
  startsEngine,
} from './settings/settings.ts'
import { StartError } from './start-error.ts'
import { CHILD_REAP_MS, STOP_BOUNDS_MS } from './stop-bounds.ts'

const invocation = readInvocation(process.argv.slice(2))
if (invocation.kind === 'print') {
  const stream = invocation.exitCode === 0 ? process.stdout : process.stderr
  stream.write(invocation.text)
  process.exitCode = invocation.exitCode
} else {
  await main(invocation.configuration)
}

async function main(configuration: PlatformConfiguration): Promise<void> {
  const startedMs = performance.now()
  const { settings } = configuration
  const log = createLogger(settings.logLevel)
  const lifecycle = new Lifecycle(log)
  lifecycle.listen()
  giveBackMemoryWhenIdle()
  // A failure nobody expected leaves the process in a state nobody knows: stop in order and let the next start recover.
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'unexpected failure')
    void lifecycle.stop(1, 'unexpected failure')
  })
  try {
    const { readyText, exposure } = await start(configuration, lifecycle, log)
    if (lifecycle.signal.aborted) return
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    console.log(`ready in ${seconds} s: ${readyText}`)
    if (exposure !== undefined) console.log(exposure)
  } catch (error) {
    if (lifecycle.signal.aborted) return
    reportFailure(explainUnanswered(error), settings, log)
    await lifecycle.stop(1, 'start failed')
  }
}

type Started = { readonly readyText: string; readonly exposure: string | undefined }

async function start(configuration: PlatformConfiguration, lifecycle: Lifecycle, log: Logger): Promise<Started> {
  const { settings, secrets } = configuration
  await checkSurroundings(settings, secrets.databaseUrl === undefined ? 'embedded' : 'of your own', log)
  await restoreAtFirstStart(configuration, log, lifecycle.signal)
  lifecycle.signal.throwIfAborted()
  const called: ChildProgram[] = []
  addCalled(called, lifecycle)
  const engine = prepareEngine(configuration, log)
  if (engine !== undefined) called.push(engine.program)
  // The engine needs no database: both come up at the same time.
  const [ownerUrl, ownEngineUrl] = await Promise.all([givenOwnerUrl(secrets) ?? startPostgres(settings, lifecycle, log), engine?.start()])
  const secretKey = resolveSecretKey(settings.dataDir, secrets.secretKey)
  const poolerUrl = secrets.databaseSessionUrl === undefined ? undefined : secrets.databaseUrl
  const urls = await prepareDatabase(ownerUrl, { isGiven: secrets.databaseUrl !== undefined, poolerUrl, secretKey, log })
  lifecycle.signal.throwIfAborted()

  const engineUrl = settings.engineUrl ?? ownEngineUrl ?? `http://127.0.0.1:${settings.enginePort}`
  // People and keys are made by a process that serves them.
  const first = rolesOf(settings).has('api')
    ? await makeFirst(urls, settings, { mayReissue: secrets.databaseUrl === undefined, log })
    : undefined
  // Written before anything listens as well, so that a kill from here on does not lose the only copy of the secrets.
  if (first?.isNew === true) writeCredentials(settings.dataDir, toCredentials(first, settings, engineUrl, undefined))
  lifecycle.signal.throwIfAborted()

  const { engineKey, smtpUrl, mqttBrokerPassword, brokerAuthSecret, historyS3SecretAccessKey } = secrets
  const historyPlace = historyPlaceOf(settings, historyS3SecretAccessKey, secrets.databaseUrl === undefined)
  const now = () => new Date()
  const tracing = tracingOf(configuration)
  const shared = { settings, databaseUrls: urls, secretKey, engineKey, smtpUrl, mqttBrokerPassword, brokerAuthSecret, tracing }
  const demoFleet = hasEveryRole(settings)
    ? new DemoFleet({ dataDir: settings.dataDir, isAlways: settings.demo, hasOwnBroker: settings.mqttBrokerUrl === undefined, log })
    : undefined
  const starting = startPlatform({ ...shared, historyPlace, engineUrl, demoFleet, log, now })
  const boundMs = settings.shutdownDelayS * 1000 + STOP_BOUNDS_MS.platform
  lifecycle.add({ name: 'platform', stop: () => stopStarted(starting), boundMs })
  const platform = await starting
  lifecycle.signal.throwIfAborted()
  const exposure = describeExposure(settings, platform.ports)
  reportBrokerPort(settings, log)
  if (first === undefined) return { readyText: `${settings.roles} at ${ownAddressesOf(settings.host, platform.ports)}`, exposure }
  const credentials = toCredentials(first, settings, engineUrl, platform.ports)
  writeAddresses(settings.dataDir, credentials, log)
  if (first.isNew) console.log(firstStartText(credentials, settings.dataDir, process.stdout.isTTY === true))
  if (demoFleet !== undefined) {
    const { http: httpPort, mqtt: mqttPort } = platform.ports
    const local = withLocalAddresses(credentials, { host: settings.host, httpPort, mqttPort })
    await openDemo(demoFleet, { credentials: local, settings, databaseUrls: urls, secretKey, url: local.base_url, called }, lifecycle, log)
  }
  return { readyText: readyTextOf(credentials, settings), exposure }
}

function reportBrokerPort(settings: PlatformSettings, log: Logger): void {
  if (!isBrokerPortUnknown(settings)) return
  log.warn(
    'MQTT_PORT is 0, so devices that are registered here are given port 0: set MQTT_PUBLIC_PORT to the port at which receivers take MQTT',
  )
}

/** PostgreSQL itself, where a pooler is in front of it. */
function givenOwnerUrl({ databaseUrl, databaseSessionUrl }: PlatformConfiguration['secrets']): string | undefined {
  return databaseSessionUrl ?? databaseUrl
}

async function makeFirst(
  urls: DatabaseUrls,
  { dataDir }: PlatformSettings,
  { mayReissue, log }: { mayReissue: boolean; log: Logger },
): Promise<BootstrapResult> {
  const onError = (err: Error) => log.warn({ err }, 'connection lost')
  const acquireTimeoutMs = ACQUIRE_WHILE_STARTING_MS
  const database = openDatabase(urls, { appConnections: 1, systemConnections: 1, acquireTimeoutMs, onError })
  const now = new Date()
  const kept = readCredentials(dataDir)
  const first = await bootstrap(database, kept, { mayReissue, now }).finally(() => database.close())
  const isOfAnother = kept !== undefined && kept.api_key !== null && kept.api_key !== first.apiKey
  const aside = isOfAnother ? setAside(dataDir, kept, now) : undefined
  if (aside !== undefined) log.warn(`${credentialsPath(dataDir)} was of another database, and is kept as ${aside}`)
  return first
}

function readyTextOf({ base_url, mqtt_url, engine_url }: Credentials, { dataDir, roles }: PlatformSettings): string {
  const of = hasEveryRole({ roles }) ? '' : `${roles} at `
  return `${of}${base_url} (docs at ${base_url}/docs)  ${mqtt_url}  engine ${engine_url}  credentials in ${credentialsPath(dataDir)}`
}

async function startPostgres(settings: PlatformSettings, lifecycle: Lifecycle, log: Logger): Promise<string> {
  const starting = startEmbeddedPostgres({
    dataDir: settings.dataDir,
    port: settings.databasePort,
    walArchive: walArchiveOf(settings),
    log: (message) => log.warn(message),
    signal: lifecycle.signal,
  })
  let server: EmbeddedPostgres | undefined
  lifecycle.add({ name: 'PostgreSQL', stop: () => stopStarted(starting), boundMs: STOP_BOUNDS_MS.postgres, force: () => server?.force() })
  server = await starting
  for (const note of server.notes) log.info(note)
  return server.url
}

/** A start that is given up leaves nothing to stop; it has reported its reason where it was awaited. */
async function stopStarted(starting: Promise<{ stop(): Promise<void> }>): Promise<void> {
  const [settled] = await Promise.allSettled([starting])
  if (settled.status === 'fulfilled') await settled.value.stop()
}

/** What the platform calls over HTTP: the engine and the demo's emulators. They stop together, after the platform. */
function addCalled(programs: readonly ChildProgram[], lifecycle: Lifecycle): void {
  const boundMs = STOP_BOUNDS_MS.engine
  lifecycle.add({
    name: 'engine',
    stop: async () => void (await Promise.all(programs.map((program) => program.stop(boundMs)))),
    boundMs: boundMs + CHILD_REAP_MS,
    force: () => {
      for (const program of programs) program.kill()
    },
  })
}

function prepareEngine(configuration: PlatformConfiguration, log: Logger): EngineChild | undefined {
  const { settings } = configuration
  if (!startsEngine(settings)) return undefined
  const env = { ...childEnvironment(), ...engineTraceVariables(configuration) }
  const engine = prepareEngineChild({ port: settings.enginePort, env, log })
  if (engine === undefined) log.warn('there is no engine to start; predictions wait until ENGINE_URL answers')
  return engine
}

type Demo = {
  readonly credentials: Credentials
  readonly settings: PlatformSettings
  readonly databaseUrls: DatabaseUrls
  readonly secretKey: string
  readonly url: string
  readonly called: ChildProgram[]
}

/** The fleet waits to be asked for, unless the setting starts it; SIMs and invoices come with the setting alone. */
async function openDemo(fleet: DemoFleet, given: Demo, lifecycle: Lifecycle, log: Logger): Promise<void> {
  const { credentials, settings, called, ...rest } = given
  const { api_key: apiKey, reseller_slug: resellerId } = credentials
  const business =
    settings.demo && apiKey !== null
      ? createDemoBusiness({ ...rest, settings, resellerId, apiKey, deviceCount: DEMO_VEHICLES, log })
      : undefined
  lifecycle.add({
    name: 'demo',
    stop: async () => void (await Promise.all([fleet.end(), business?.stop()])),
    boundMs: DEMO_END_BOUND_MS,
    force: () => fleet.kill(),
  })
  await fleet.open(credentials)
  if (business === undefined || !fleet.isThere || lifecycle.signal.aborted) return
  called.push(...business.emulators)
  await business.start()
}

function toCredentials(
  first: BootstrapResult,
  settings: PlatformSettings,
  engineUrl: string,
  ports: RunningPlatform['ports'] | undefined,
): Credentials {
  const baseUrl = baseUrlOf(settings, ports?.http ?? settings.port)
  const mqtt = mqttAddressOf(settings, ports?.mqtt)
  return {
    base_url: baseUrl,
    engine_url: engineUrl,
    mqtt_url: `${mqtt.scheme}://${hostAndPort(mqtt)}`,
    reseller_slug: first.resellerSlug,
    api_key: first.apiKey,
    dashboard: { url: `${baseUrl}/`, email: first.email, password: first.password },
  }
}

function reportFailure(error: unknown, settings: PlatformSettings, log: Logger): void {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  const listening = listenPorts(settings).find((each) => each.port === port)
  if (code === 'EADDRINUSE' && listening !== undefined) {
    console.error(explainListenFailure(code, listening.name, listening.host, listening.port))
  } else if (error instanceof StartError || error instanceof FolderInUseError) {
    console.error(error.message)
  } else {
    console.error(`Roadworthy could not start: ${error instanceof Error ? error.message : String(error)}`)
    log.debug({ err: error }, 'start failed')
  }
}
