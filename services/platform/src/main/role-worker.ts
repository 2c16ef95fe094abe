// The role `worker`: what nobody waits for. Each piece of work is done by one worker, however many there are: rows are claimed in the database.

import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { startDeviceAlerts } from '../alerts/raise-device-alerts.ts'
import { recordAlertsAcrossResellers } from '../alerts/record-alerts.ts'
import type { ClusterReach } from '../cluster/reach.ts'
import { startRelay } from '../events/relay.ts'
import { startApplyingEffects } from '../ingest/apply-effects.ts'
import type { IngestPipeline } from '../ingest/pipeline.ts'
import { recordUseAcrossResellers } from '../maintenance/record-use.ts'
import { createIncidentRecorder } from '../notifications/record-incidents.ts'
import { defaultScoringSettings } from '../predictions/scoring/score-due-vehicles.ts'
import { type ScoringWorker, startScoringWorker } from '../predictions/scoring/scoring-worker.ts'
import { type DeliveryWorker, startDeliveryWorker } from '../webhooks/delivery-worker.ts'
import { createDispatcher } from '../webhooks/dispatch.ts'
import { WEBHOOK_SECRETS } from '../webhooks/secrets.ts'
import { defaultSendLimits } from '../webhooks/send-webhook.ts'
import { startJobs } from './background-jobs.ts'
import { countNewAlerts, startCountingFleet } from './database/count-fleet.ts'
import { housekeepingOf, startPartitionWatch } from './database/housekeeping.ts'
import { startWatchingArchive } from './database/watch-archive.ts'
import type { ReadinessCheck } from './http/build-http.ts'
import { startAccountKeeping } from './mqtt.ts'
import type { Part } from './part.ts'
import { startListening } from './presence.ts'
import type { PlatformOptions, SharedParts } from './shared-parts.ts'

const DAY_S = 86_400

export type Worker = { readonly checks: Readonly<Record<string, ReadinessCheck>>; readonly parts: readonly Part[] }

/** `pipeline`: where the process takes readings too. */
export function startWorker(options: PlatformOptions, shared: SharedParts, pipeline: IngestPipeline | undefined): Worker {
  const { now, log, settings, databaseUrls } = options
  const { database, metrics, reached } = shared
  const relay = startRelay({
    database,
    recorders: [createDispatcher({ now }), createIncidentRecorder({ now: database.now })],
    onLogged: (events) => countNewAlerts(events, metrics),
    now,
    log,
  })
  const deviceAlerts = startDeviceAlerts({
    ...{ database, now },
    onError: (err) => log.error({ err }, 'what devices raised waits to become alerts; it is tried again'),
  })
  const effects = startApplyingEffects(database, reached, (err) =>
    log.error({ err }, 'what follows readings waits on their nodes; it is tried again'),
  )
  const watch = startPartitionWatch({ ...housekeepingOf({ settings, databaseUrls, now }, database), log })
  metrics.gauge('fleet_partitions_ahead_seconds', 'For how long from now on there are partitions to store rows in.', () => {
    return (watch.aheadDays() ?? Number.NaN) * DAY_S
  })
  const fleet = startCountingFleet(database, metrics, log)
  const archive = startWatchingArchive(database, metrics, log)
  const { rounds: listening, presence } = startListening(options, shared)
  const scoring = startScoring(options, shared, { pipeline, reached })
  const accounts = startAccountKeeping(options, shared)
  return {
    checks: { scoring: () => scoring.checkReadiness(), ...accounts?.checks },
    parts: [
      { name: 'events', stop: () => relay.stop() },
      { name: 'alerts of devices', stop: () => deviceAlerts.stop() },
      { name: 'effects of readings', stop: () => effects.stop() },
      { name: 'partitions', stop: () => watch.stop() },
      { name: 'counts of the fleet', stop: () => fleet.stop() },
      { name: 'archive of the log', stop: () => archive.stop() },
      { name: 'presence', stop: () => listening.stop() },
      { name: 'webhooks', stop: stopOf(startWebhooks(options, shared)) },
      { name: 'scoring', stop: stopOf(scoring) },
      { name: 'jobs', stop: stopOf(startJobs(options, shared, presence)) },
      ...(accounts === undefined ? [] : [{ name: 'accounts at the broker', stop: () => accounts.close() }]),
    ],
  }
}

const stopOf = (worker: { stop(): Promise<void> }) => () => worker.stop()

function startWebhooks({ secretKey, log, now }: PlatformOptions, { database, metrics, webhookTargets }: SharedParts): DeliveryWorker {
  const webhooks = startDeliveryWorker({
    database,
    sealer: createSealer(secretKey, WEBHOOK_SECRETS),
    send: { guard: webhookTargets, limits: defaultSendLimits },
    now,
    random: Math.random,
    log,
    countAttempt: metrics.countWebhookAttempt,
  })
  metrics.gauge('fleet_webhook_queue_depth', 'Webhooks that enabled endpoints are still to be sent.', () => {
    return webhooks.backlog().pendingCount
  })
  metrics.gauge('fleet_webhook_oldest_pending_seconds', 'Since the oldest of them was written; 0 when there is none.', () => {
    const { oldestPendingAt } = webhooks.backlog()
    return oldestPendingAt === undefined ? 0 : Math.max(0, (now().getTime() - oldestPendingAt.getTime()) / 1000)
  })
  return webhooks
}

function startScoring(
  { settings, log, now }: PlatformOptions,
  { database, engine }: SharedParts,
  { pipeline, reached }: { pipeline: IngestPipeline | undefined; reached: ClusterReach },
): ScoringWorker {
  const recorders = [recordUseAcrossResellers, recordAlertsAcrossResellers]
  return startScoringWorker(
    { database, engine, recorders, now, log, random: Math.random, reached, takeMostQueued: pipeline?.takeMostQueued },
    { ...defaultScoringSettings, intervalMs: settings.scoringIntervalS * 1000 },
  )
}
