// Tries a connection as a person would who has to find out what is wrong with it: one step after the other, and at the first that fails it is
// shown what is wrong and what would be right. What a name resolves to is not shown.

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { type StreamConnectionTest, type StreamTestStep, streamTestSteps } from '@roadworthy/contracts/platform-v1/stream-connection'
import type { KafkaConnection } from '@roadworthy/kafka/kafka-client'
import { explainKafkaError } from '@roadworthy/kafka/kafka-error'
import { pemBehind, toTlsOptions } from '@roadworthy/kafka/tls-pem'
import type { Address, AddressGuard } from '@roadworthy/service-kit/network/address-guard'
import type { ClusterProbe, SampleMessage } from './probe-cluster.ts'
import { StepError } from './step-error.ts'
import { hostOf, portOf, type StreamConnection } from './stream-connection.ts'

const RESOLVE_MS = 4_000
const CONNECT_MS = 5_000
/** Several requests of 8 s at the most, of which nearly all are answered at once. */
const STEP_BOUND_MS = 20_000
const CLOSE_BOUND_MS = 1_000

/** What would become of a message, in a sentence. */
export type JudgeSample = (resellerId: string, message: SampleMessage) => Promise<{ readonly isTaken: boolean; readonly detail: string }>

export type TryDeps = {
  readonly connection: StreamConnection
  readonly kafka: KafkaConnection
  readonly guard: AddressGuard
  readonly judgeSample: (message: SampleMessage) => ReturnType<JudgeSample>
  /** Called as each step is over. */
  readonly onStep: (step: Step) => void
}

type Step = StreamConnectionTest['steps'][number]
/** What a step has found; a step that does not apply has the reason. */
type Finding = { readonly detail: string; readonly isSkipped?: boolean }

/** Never rejects for what the other side does: that is what the steps report. */
export async function tryConnection(deps: TryDeps): Promise<StreamConnectionTest> {
  const { createClusterProbe } = await import('./probe-cluster.ts')
  const cluster = createClusterProbe(deps.kafka, deps.connection)
  const run = stepsOf(deps, cluster)
  const steps: Step[] = []
  let failed: StreamTestStep | undefined
  for (const step of streamTestSteps) {
    const beganMs = performance.now()
    const outcome =
      failed === undefined
        ? await attempt(() => Promise.race([run[step](), failAfter(STEP_BOUND_MS)]))
        : { status: 'skipped' as const, detail: `Not tried, because ${failed} failed.` }
    const done = { step, ...outcome, duration_ms: Math.round(performance.now() - beganMs) }
    steps.push(done)
    deps.onStep(done)
    if (outcome.status === 'failed') failed = step
  }
  await Promise.race([cluster.close(), sleep(CLOSE_BOUND_MS, undefined, { ref: false })])
  return { success: failed === undefined, steps }
}

async function failAfter(boundMs: number): Promise<never> {
  await sleep(boundMs, undefined, { ref: false })
  throw new StepError(`The broker did not let it come to an end within ${boundMs / 1000} s.`)
}

async function attempt(run: () => Promise<Finding>): Promise<Pick<Step, 'status' | 'detail'>> {
  try {
    const { detail, isSkipped = false } = await run()
    return { status: isSkipped ? 'skipped' : 'ok', detail }
  } catch (error) {
    return { status: 'failed', detail: error instanceof StepError ? error.message : `${explainKafkaError(error)}.` }
  }
}

type Found = { readonly broker: string; readonly addresses: readonly Address[] }

function stepsOf(
  { connection, kafka, guard, judgeSample }: TryDeps,
  cluster: ClusterProbe,
): Record<StreamTestStep, () => Promise<Finding>> {
  const { sasl, tls } = connection
  let found: Found[] = []
  let open: (Found & { readonly address: string }) | undefined
  return {
    name: async () => {
      const { good, bad } = await tryEach(connection.brokers, async (broker) => ({ broker, addresses: await resolve(guard, broker) }))
      found = good
      if (good.length === 0) throw new StepError(bad.join(' '))
      return { detail: [`${good.map(({ broker }) => hostOf(broker)).join(', ')}: there is an address.`, ...bad].join(' ') }
    },
    tcp: async () => {
      const { good, bad } = await tryEach(found, async (each) => ({ ...each, address: await reach(each) }))
      open = good[0]
      if (open === undefined) throw new StepError(bad.join(' '))
      return { detail: [`${good.map(({ broker }) => broker).join(', ')}: the port is open.`, ...bad].join(' ') }
    },
    tls: async () => {
      if (tls === undefined || open === undefined) return { detail: 'The connection is in plain text.', isSkipped: true }
      return { detail: await shakeHands(open, kafka) }
    },
    authentication: async () => {
      const detail = await cluster.signIn()
      return sasl === undefined
        ? { detail: `Nobody is signed in. ${detail}`, isSkipped: true }
        : { detail: `${sasl.username}: signed in by ${sasl.mechanism}. ${detail}` }
    },
    topic: async () => ({ detail: await cluster.findTopics() }),
    sample: async () => {
      const message = await cluster.newestMessage()
      if (message === undefined) return { detail: 'The topic is empty: there is nothing to decode yet.' }
      const { isTaken, detail } = await judgeSample(message)
      const where = `The newest message (partition ${message.partition}, offset ${message.offset})`
      if (!isTaken) throw new StepError(`${where} would be set aside: ${detail}`)
      return { detail: `${where} would be taken: ${detail}` }
    },
  }
}

async function tryEach<T, R>(candidates: readonly T[], run: (candidate: T) => Promise<R>): Promise<{ good: R[]; bad: string[] }> {
  const settled = await Promise.allSettled(candidates.map(run))
  const good = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const bad = settled.flatMap((each) => (each.status === 'rejected' ? [(each.reason as Error).message] : []))
  return { good, bad }
}

async function resolve(guard: AddressGuard, broker: string): Promise<readonly Address[]> {
  try {
    return (await guard(hostOf(broker), AbortSignal.timeout(RESOLVE_MS))).addresses
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOTFOUND') throw new StepError(`${hostOf(broker)} has no address (ENOTFOUND). Check the spelling of the name.`)
    throw new StepError(code === undefined ? message : `${hostOf(broker)} could not be looked up (${code}).`)
  }
}

/** The first of its addresses that takes a connection. */
async function reach({ broker, addresses }: Found): Promise<string> {
  let reason = ''
  for (const { address } of addresses) {
    const socket = connect({ host: address, port: portOf(broker) })
    const error = await settled(socket, 'connect')
    if (error === undefined) return address
    reason = explainTcp(broker, error.code)
  }
  throw new StepError(reason)
}

function explainTcp(broker: string, code: string | undefined): string {
  if (code === 'ECONNREFUSED') return `${broker} refuses connections (ECONNREFUSED). Check the port, and that a broker listens on it.`
  if (code === 'ETIMEDOUT')
    return `${broker} does not answer within ${CONNECT_MS / 1000} s. Check the port, and that the firewall lets this service in.`
  return `${broker} cannot be connected to (${code}).`
}

async function shakeHands({ broker, address }: { broker: string; address: string }, kafka: KafkaConnection): Promise<string> {
  const host = hostOf(broker)
  const socket = connectTls({
    ...toTlsOptions(kafka.tls ?? {}),
    host: address,
    port: portOf(broker),
    ...(kafka.tlsServerName === true ? { servername: host } : {}),
  })
  const error = await settled(socket, 'secureConnect')
  if (error !== undefined) throw new StepError(explainTls(broker, error))
  return `${broker} speaks ${socket.getProtocol() ?? 'TLS'}, and its certificate is trusted.`
}

function explainTls(broker: string, { code, message }: NodeJS.ErrnoException): string {
  if (pemBehind(code) === 'ca')
    return `The certificate of ${broker} is signed by nobody who is trusted (${code}). Give the authority that signed it as "tls.ca".`
  if (pemBehind(code) === 'cert') return `${broker} asks for a certificate (${code}). Give "tls.certificate" and "tls.key".`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The certificate of ${broker} is for another name. Name the broker as its certificate does.`
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${broker} has expired.`
  const isPlain = code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ECONNRESET' || code === 'ETIMEDOUT' || code === 'EPROTO'
  if (isPlain) return `${broker} does not speak TLS on this port (${code}). Give the port on which it does, or "tls": null.`
  return `TLS with ${broker} fails: ${message} (${code}).`
}

/** The error it failed with, or undefined; closed in either case. */
async function settled(socket: Socket, event: 'connect' | 'secureConnect'): Promise<NodeJS.ErrnoException | undefined> {
  const { promise, resolve: settle } = Promise.withResolvers<NodeJS.ErrnoException | undefined>()
  const late = setTimeout(() => settle(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })), CONNECT_MS)
  socket.once(event, () => settle(undefined))
  socket.on('error', settle)
  // A peer that closes without a word leaves no error.
  socket.once('close', () => settle(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
  const error = await promise
  clearTimeout(late)
  socket.destroy()
  return error
}
