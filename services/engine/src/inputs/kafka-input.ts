// ENGINE_INPUT=stream. Order of things for each batch: predict, send the answers and the dead letters, and only when the broker has them all,
// commit. So every message is answered at least once: what was answered but not yet committed when a process or a broker died is answered again.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { sendDeadLetter, toDeadLetter } from '@roadworthy/kafka/dead-letter'
import type { KafkaMessage, Outgoing } from '@roadworthy/kafka/kafka-client'
import { explainKafkaError } from '@roadworthy/kafka/kafka-error'
import { toStreamMessage } from '@roadworthy/kafka/read-message'
import { retryDelayMs } from '@roadworthy/service-kit/retry-delay'
import { type AnswerMessage, createAnswerMessage, type Outcome } from './answer-message.ts'
import type { Input, InputDeps } from './input.ts'
import { createInputMetrics } from './input-metrics.ts'
import type { KafkaPlan } from './input-settings.ts'
import { type KafkaSession, openKafkaSession } from './kafka-consumer.ts'
import { settingBehindKafkaError } from './kafka-setting.ts'
import { createVehicleWindows } from './vehicle-windows.ts'

/** Messages between two commits. */
const MAX_BATCH = 500
/** Half of what brokers take in one batch by default (`message.max.bytes`, 1 MiB). */
const MAX_PART_BYTES = 512 * 1024
/** Predictions made in one turn of the event loop; probes and requests are answered in between. */
const PREDICTIONS_PER_TURN = 20
/** How often the input looks whether predictions are taken on again. */
const REFUSAL_POLL_MS = 500
/** For a broker that is being connected to when the engine stops: one that answers is left in good order, another is given up. */
const CONNECTING_STOP_BOUND_MS = 1500

/** Begins to connect and returns at once; it goes on trying for as long as it takes. */
export function startKafkaInput(plan: KafkaPlan, deps: InputDeps): Input {
  const windows = createVehicleWindows(plan.maxVehicles)
  const answerMessage = createAnswerMessage({ ...deps, windows })
  const { topics, connection } = plan
  const { log } = deps
  const stopping = new AbortController()
  let trouble: string | undefined = 'The stream input is connecting.'
  const setTrouble = (found: string | undefined) => {
    trouble = found
  }
  let session: KafkaSession | undefined
  const metrics = createInputMetrics(deps.registry, { input: 'stream', windows, isConnected: () => trouble === undefined })

  const fail = async (failureCount: number, error: unknown) => {
    metrics.setLag(Number.NaN)
    const delayMs = retryDelayMs(failureCount, Math.random)
    const setting = settingBehindKafkaError(error, connection.tls !== undefined)
    const reason = `${explainKafkaError(error)}${setting === undefined ? '' : `; see ${setting}`}`
    trouble = `The stream input cannot work with ENGINE_KAFKA_BROKERS "${connection.bootstrapBrokers.join(',')}": ${reason}.`
    log.error({ retryInMs: delayMs }, `${trouble} It is tried again; REST is not affected.`)
    metrics.countReconnect()
    await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined)
  }

  const run = async () => {
    for (let failureCount = 0; !stopping.signal.aborted; ) {
      let refusal: Error | undefined
      const onRefused = (error: Error) => {
        refusal = error
      }
      try {
        session = await openKafkaSession({ ...connection, onRefused }, topics, { log, onLag: metrics.setLag })
        if (stopping.signal.aborted) break
        setTrouble(undefined)
        failureCount = 0
        log.info({ topic: topics.input, group: topics.groupId }, 'the stream input is connected')
        await answerStream(session, { ...deps, answerMessage, metrics, topics, setTrouble, signal: stopping.signal })
      } catch (error) {
        await session?.close().catch(() => undefined)
        session = undefined
        if (!stopping.signal.aborted) await fail(++failureCount, refusal ?? error)
      }
    }
    await session?.close().catch((err: unknown) => log.warn({ err }, 'the stream input did not leave its group cleanly'))
  }
  const ended = run()

  return {
    trouble: () => trouble,
    stop: async () => {
      stopping.abort()
      if (session === undefined) return await Promise.race([ended, sleep(CONNECTING_STOP_BOUND_MS)])
      // Ends the reading; what has been read and is being answered goes on to its commit.
      void session.stream.close()
      await ended
    },
  }
}

type Work = {
  readonly answerMessage: AnswerMessage
  readonly metrics: { readonly count: (outcome: Outcome) => void }
  readonly topics: KafkaPlan['topics']
  readonly refusalNow: InputDeps['refusalNow']
  readonly log: InputDeps['log']
  readonly nowMs: () => number
  readonly setTrouble: (trouble: string | undefined) => void
  readonly signal: AbortSignal
}

/** Resolves when it is stopped; rejects when the stream breaks off. Reads nothing while it works: the stream then stops fetching. */
async function answerStream(session: KafkaSession, work: Work): Promise<void> {
  let batch: KafkaMessage[] = []
  for await (const message of session.stream) {
    if (work.signal.aborted) return
    batch.push(message)
    if (batch.length < MAX_BATCH && session.stream.readableLength > 0) continue
    await answerBatch(session, batch, work)
    batch = []
  }
  if (!work.signal.aborted) throw new Error('the broker ended the stream')
}

async function answerBatch(session: KafkaSession, batch: readonly KafkaMessage[], work: Work): Promise<void> {
  const answers: Outgoing[] = []
  const deadLetters: Outgoing[] = []
  const outcomes: Outcome[] = []
  for (const [index, message] of batch.entries()) {
    if (index % PREDICTIONS_PER_TURN === 0) {
      await nextTurn()
      if (!(await waitUntilAdmitted(work))) return
    }
    const outcome = work.answerMessage(toStreamMessage(message))
    outcomes.push(outcome)
    if (outcome.kind === 'answer') answers.push({ topic: work.topics.output, key: Buffer.from(outcome.vehicleId), value: outcome.body })
    else if (outcome.kind === 'poison') {
      deadLetters.push(toDeadLetter(message, outcome.poison, { topic: work.topics.deadLetter, nowMs: work.nowMs() }))
    }
  }
  // From here on a stop waits: the windows hold these readings, so a message that came again would be taken for answered.
  for (const part of inParts(answers)) await insist(() => session.send(part), work)
  for (const letter of deadLetters) await insist(() => sendDeadLetter(session.send, letter), work)
  for (const outcome of outcomes) work.metrics.count(outcome)
  await session.commit(batch).catch((err: unknown) => {
    // Nothing is lost: the next commit covers it, or the messages come again.
    work.log.warn({ err }, 'offsets could not be committed; the answers are out')
  })
}

/** False when it is stopped first. Nothing of this batch is taken in by then that has not been sent, so it may simply be left. */
async function waitUntilAdmitted(work: Work): Promise<boolean> {
  for (let refusal = work.refusalNow(); refusal !== undefined; refusal = work.refusalNow()) {
    if (work.signal.aborted) return false
    await sleep(REFUSAL_POLL_MS, undefined, { signal: work.signal }).catch(() => undefined)
  }
  return true
}

/** Messages of one partition go as one batch, and it is the batch that a broker refuses as too large. */
function inParts(messages: readonly Outgoing[]): Outgoing[][] {
  const parts: Outgoing[][] = []
  let partBytes = Number.POSITIVE_INFINITY
  for (const message of messages) {
    const bytes = (message.value?.length ?? 0) + (message.key?.length ?? 0)
    if (partBytes + bytes > MAX_PART_BYTES) {
      parts.push([])
      partBytes = 0
    }
    parts.at(-1)?.push(message)
    partBytes += bytes
  }
  return parts
}

/** Sends until the broker has it; gives up only with the process, which then has committed nothing of it. */
async function insist(send: () => Promise<void>, { signal, log, setTrouble }: Work): Promise<void> {
  for (let failureCount = 0; ; ) {
    try {
      await send()
      setTrouble(undefined)
      return
    } catch (error) {
      if (signal.aborted) throw error
      const delayMs = retryDelayMs(++failureCount, Math.random)
      setTrouble(`The stream input cannot send: ${explainKafkaError(error)}.`)
      log.error({ retryInMs: delayMs }, `answers cannot be sent: ${explainKafkaError(error)}. Nothing more is read until they are`)
      await sleep(delayMs, undefined, { signal }).catch(() => undefined)
    }
  }
}
