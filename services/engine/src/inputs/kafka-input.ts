// ENGINE_INPUT=stream. Order of things for each batch: predict, send the answers and the dead letters, and only when the broker has them all,
// commit. So every message is answered at least once: what was answered but not yet committed when a process or a broker died is answered again.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { sendDeadLetter, toDeadLetter } from '@roadworthy/kafka/dead-letter'
import type { KafkaMessage, Outgoing } from '@roadworthy/kafka/kafka-client'
import { explainKafkaError, hasApiId } from '@roadworthy/kafka/kafka-error'
import { toStreamMessage } from '@roadworthy/kafka/read-message'
import { retryDelayMs } from '@roadworthy/service-kit/pacing/retry-delay'
import { type AnswerMessage, createAnswerMessage, type Outcome } from './answer-message.ts'
import type { Input, InputDeps } from './input.ts'
import { createInputMetrics } from './input-metrics.ts'
import type { KafkaPlan } from './input-settings.ts'
import { type Judged, sendAnswers } from './kafka-answers.ts'
import { type KafkaSession, openKafkaSession } from './kafka-consumer.ts'
import { settingBehindKafkaError } from './kafka-setting.ts'
import { createVehicleWindows } from './vehicle-windows.ts'

/** Messages between two commits. */
const MAX_BATCH = 500
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
  const judged: Judged[] = []
  for (const [index, message] of batch.entries()) {
    if (index % PREDICTIONS_PER_TURN === 0) {
      await nextTurn()
      if (!(await waitUntilAdmitted(work))) return
    }
    judged.push({ message, outcome: work.answerMessage(toStreamMessage(message)) })
  }
  // From here on a stop waits: the windows hold these readings, so a message that came again would be taken for answered.
  const { topics } = work
  for (const { message, outcome } of await sendAnswers(judged, {
    topic: topics.output,
    send: (part) => insist(() => isTaken(session, part), work),
  })) {
    if (outcome.kind === 'poison') {
      const letter = toDeadLetter(message, outcome.poison, { topic: topics.deadLetter, nowMs: work.nowMs() })
      await insist(() => sendDeadLetter(session.send, letter), work)
    }
    work.metrics.count(outcome)
  }
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

/** False where one message of them, or the batch that they are, is larger than the topic takes. */
async function isTaken({ send }: KafkaSession, messages: readonly Outgoing[]): Promise<boolean> {
  try {
    await send([...messages])
    return true
  } catch (error) {
    if (!hasApiId(error, 'MESSAGE_TOO_LARGE')) throw error
    return false
  }
}

/** Sends until the broker has it; gives up only with the process, which then has committed nothing of it. */
async function insist<T>(send: () => Promise<T>, { signal, log, setTrouble }: Work): Promise<T> {
  for (let failureCount = 0; ; ) {
    try {
      const result = await send()
      setTrouble(undefined)
      return result
    } catch (error) {
      if (signal.aborted) throw error
      const delayMs = retryDelayMs(++failureCount, Math.random)
      setTrouble(`The stream input cannot send: ${explainKafkaError(error)}.`)
      log.error({ retryInMs: delayMs }, `answers cannot be sent: ${explainKafkaError(error)}. Nothing more is read until they are`)
      await sleep(delayMs, undefined, { signal }).catch(() => undefined)
    }
  }
}
