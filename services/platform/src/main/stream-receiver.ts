// The process that reads streams: brokers that tenants choose are talked with here and nowhere else. It has its own few database connections, its own
// directory and ingest pipeline, and gets what it needs from the platform process that started it.

import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import { openDatabase } from '@roadworthy/service-kit/postgres/db'
import { openNotifications } from '@roadworthy/service-kit/postgres/notifications'
import { onParentExit } from '@roadworthy/service-kit/process/exit-with-parent'
import { Lifecycle } from '@roadworthy/service-kit/process/lifecycle'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { createLogger, type Logger } from '@roadworthy/service-kit/telemetry/log'
import { startTracing } from '@roadworthy/service-kit/telemetry/tracing'
import type { IngestBriefly } from '../ingest/inbound.ts'
import { runIsolatedTest } from '../ingest/receivers/kafka/isolated-test.ts'
import { judgeSample } from '../ingest/receivers/kafka/judge-sample.ts'
import { KafkaReceiver } from '../ingest/receivers/kafka/kafka-receiver.ts'
import { type SealedConnection, selectConnection } from '../streams/connections.sql.ts'
import { openStreamSecrets, STREAM_SECRETS } from '../streams/secrets.ts'
import { addIngestCounts, countOutcomes, type IngestCounts, NO_INGEST_COUNTS } from './http/metrics.ts'
import { createIngestParts, startRecorder } from './ingest-parts.ts'
import type { FromReceiver, ReceiverConfiguration, ToReceiver } from './stream-channel.ts'

/** Far fewer than the platform's: one reading commits for all its tenants together. */
const APP_CONNECTIONS = 4
const SYSTEM_CONNECTIONS = 2
const READING_LIMITS_EVERY_MS = 1_000
const STATUS_EVERY_MS = 1_000
/** All of it within what the platform gives this process to stop in. */
const STOP_BOUND_MS = 2_500

const lifecycle = new Lifecycle(createLogger('warn'))
lifecycle.listen()
onParentExit(() => void lifecycle.stop(0, 'the platform is gone'))
process.once('message', (message: ToReceiver) => {
  if (message.kind === 'configure') void run(message.configuration)
})

type Parts = ReturnType<typeof openParts>

async function run(configuration: ReceiverConfiguration): Promise<void> {
  const log = createLogger(configuration.logLevel)
  // Brokers are talked with in threads, which end alone. What ends up here is ours; the platform starts this process again, later each time.
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'unexpected failure of the stream receiver')
    void lifecycle.stop(1, 'unexpected failure')
  })
  const parts = openParts(configuration, log)
  // In this turn: a test may be the next message.
  answerTests(configuration, parts, log)
  let stopStreams: () => Promise<void> = async () => undefined
  lifecycle.add({ name: 'stream receiver', boundMs: STOP_BOUND_MS, stop: () => stopAll(parts, stopStreams) })
  if (!configuration.isReading) return
  const { tracing } = configuration
  const tracer = tracing === undefined ? undefined : await startTracing(tracing, log)
  const limits = await startReadingLimits(parts, log)
  const counted = { ingested: NO_INGEST_COUNTS, deadLetterCodes: [] as string[] }
  const recorder = startRecorder(parts.recorder, { ...parts, log })
  const receiver = openReceiver(configuration, parts, log, counted)
  const reporting = setInterval(() => report(receiver, counted), STATUS_EVERY_MS)
  stopStreams = async () => {
    clearInterval(reporting)
    await Promise.all([receiver.stop(), limits.stop()])
    await recorder.stop()
    await tracer?.stop()
    report(receiver, counted)
  }
}

async function stopAll({ pipeline, notifications, database }: Parts, stopStreams: () => Promise<void>): Promise<void> {
  await stopStreams()
  await pipeline.drain()
  await Promise.all([notifications.close(), database.close()])
}

function openParts({ databaseUrls, secretKey, ...settings }: ReceiverConfiguration, log: Logger) {
  const now = () => new Date()
  const onError = (err: Error) => log.warn({ err }, 'an idle database connection was lost')
  const database = openDatabase(databaseUrls, { appConnections: APP_CONNECTIONS, systemConnections: SYSTEM_CONNECTIONS, onError })
  const notifications = openNotifications({ connectionString: databaseUrls.direct.system, onError })
  const ingestParts = createIngestParts({ database, notifications, settings, now, log })
  const sealer = createSealer(secretKey, STREAM_SECRETS)
  const openSecrets = ({ resellerId, secretsSealed }: SealedConnection) => openStreamSecrets(sealer, resellerId, secretsSealed)
  return { now, database, notifications, openSecrets, ...ingestParts }
}

/** Known before the first reading, and kept so. */
async function startReadingLimits({ readingLimits }: Parts, log: Logger): Promise<Rounds> {
  const refresh = async () => {
    await readingLimits.refresh()
    return READING_LIMITS_EVERY_MS
  }
  const onError = (err: unknown) => log.error({ err }, 'limits on readings could not be read; the last known ones hold')
  await refresh().catch(onError)
  return startRounds(refresh, READING_LIMITS_EVERY_MS, onError)
}

type Counted = { ingested: IngestCounts; deadLetterCodes: string[] }

function openReceiver({ streamAllowCidrs }: ReceiverConfiguration, parts: Parts, log: Logger, counted: Counted): KafkaReceiver {
  const { database, notifications, pipeline, window, openSecrets, now } = parts
  const ingest: IngestBriefly = async (batch, progress) => {
    const outcomes = await pipeline.ingestBriefly(batch, progress)
    counted.ingested = addIngestCounts(counted.ingested, countOutcomes(outcomes))
    return outcomes
  }
  return new KafkaReceiver({
    database,
    ingest,
    now,
    log,
    openSecrets,
    maxAheadMs: window.maxAheadMs,
    allowCidrs: streamAllowCidrs,
    countDeadLetter: (code) => counted.deadLetterCodes.push(code),
    onConnectionChanged: (listener) => {
      const channels = ['stream_connection_changed', 'reseller_changed']
      const ends = channels.map((channel) => notifications.on(channel, listener, listener))
      return () => {
        for (const end of ends) end()
      }
    },
  })
}

function report(receiver: KafkaReceiver, counted: Counted): void {
  const numbers = {
    lagMessageCount: receiver.lagMessageCount(),
    connectedCount: receiver.connectedCount(),
    threadCount: receiver.threadCount(),
    residentBytes: process.memoryUsage.rss(),
  }
  send({ kind: 'status', ...numbers, ...counted })
  counted.ingested = NO_INGEST_COUNTS
  counted.deadLetterCodes = []
}

/** A platform that is gone hears nothing, and this process ends with it. */
function send(message: FromReceiver): void {
  process.send?.(message, () => undefined)
}

function answerTests({ streamAllowCidrs }: ReceiverConfiguration, parts: Parts, log: Logger): void {
  const { directory, window, now } = parts
  const judge = judgeSample.bind(undefined, { directory, window, now })
  process.on('message', (message: ToReceiver) => {
    if (message.kind !== 'test') return
    const { id, resellerId } = message
    runTest({ allowCidrs: streamAllowCidrs, log, judgeSample: judge }, parts, resellerId).then(
      (result) => send({ kind: 'tested', id, result }),
      (err: unknown) => {
        log.error({ err, resellerId }, 'the connection of a stream could not be tested')
        send({ kind: 'tested', id, result: undefined })
      },
    )
  })
}

async function runTest(deps: Parameters<typeof runIsolatedTest>[0], { database, openSecrets }: Parts, resellerId: string) {
  const sealed = await selectConnection(database.tenantPool(resellerId), resellerId)
  if (sealed === undefined) return undefined
  const { secretsSealed: _, ...connection } = sealed
  return await runIsolatedTest(deps, connection, openSecrets(sealed))
}
