// A real Kafka broker for tests: one process in KRaft mode on loopback, with its data in a folder of its own, that can be killed and started again.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const START_BOUND_MS = 60_000
const STOP_BOUND_MS = 20_000
const POLL_MS = 100
const FORMAT_BOUND_MS = 60_000
/** A base64url UUID, as `kafka-storage random-uuid` makes them. */
const CLUSTER_ID = 'cm9hZHdvcnRoeS10ZXN0cw'

/** The one user of the listener that asks for a sign-in. */
export const SASL_USER = { username: 'engine', password: 'hush-hush' }

export type KafkaBroker = {
  /** Of the listener that is open to all, in plain text. */
  readonly address: string
  /** Of the listener with TLS and SASL. */
  readonly secureAddress: string
  /** The certificate that a client of that listener must trust. */
  readonly caFile: string
  start(): Promise<void>
  /** SIGTERM, so that it leaves its log clean; SIGKILL, so that it does not. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

export async function createKafkaBroker(classPath: string): Promise<KafkaBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-kafka-'))
  const [port = 0, controllerPort = 0, securePort = 0] = await findFreePorts(3)
  const caFile = join(folder, 'ca.pem')
  const identityFile = makeIdentity(folder, caFile)
  const properties = join(folder, 'server.properties')
  writeFileSync(properties, serverProperties({ port, controllerPort, securePort, identityFile, dataFolder: join(folder, 'data') }))
  const format = ['-cp', classPath, 'kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', properties]
  const { username, password } = SASL_USER
  format.push('--add-scram', `SCRAM-SHA-512=[name=${username},password=${password}]`)
  execFileSync('java', format, { stdio: 'ignore', timeout: FORMAT_BOUND_MS })
  let child: ChildProcess | undefined
  const stop = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    const late = setTimeout(() => child?.kill('SIGKILL'), STOP_BOUND_MS)
    await exited
    clearTimeout(late)
  }
  return {
    address: `127.0.0.1:${port}`,
    secureAddress: `127.0.0.1:${securePort}`,
    caFile,
    start: async () => {
      child = spawn('java', ['-Xmx384m', '-cp', classPath, 'kafka.Kafka', properties], { stdio: 'ignore' })
      await waitUntilListening(port, child)
    },
    stop,
    remove: async () => {
      await stop('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A key with a certificate signed by itself, as Kafka wants it: both in one file. */
function makeIdentity(folder: string, caFile: string): string {
  const keyFile = join(folder, 'key.pem')
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', keyFile]
  execFileSync('openssl', ['req', '-x509', ...key, '-days', '2', ...subject, '-out', caFile], { stdio: 'ignore', timeout: FORMAT_BOUND_MS })
  const identityFile = join(folder, 'identity.pem')
  writeFileSync(identityFile, readFileSync(keyFile, 'utf8') + readFileSync(caFile, 'utf8'))
  return identityFile
}

type ServerOptions = { port: number; controllerPort: number; securePort: number; identityFile: string; dataFolder: string }

function serverProperties({ port, controllerPort, securePort, identityFile, dataFolder }: ServerOptions): string {
  const { username, password } = SASL_USER
  const jaas = 'org.apache.kafka.common.security'
  return [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort},SECURE://127.0.0.1:${securePort}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${port},SECURE://127.0.0.1:${securePort}`,
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL',
    'listener.name.secure.ssl.keystore.type=PEM',
    `listener.name.secure.ssl.keystore.location=${identityFile}`,
    'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512',
    'listener.name.secure.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512',
    `listener.name.secure.plain.sasl.jaas.config=${jaas}.plain.PlainLoginModule required user_${username}="${password}";`,
    `listener.name.secure.scram-sha-512.sasl.jaas.config=${jaas}.scram.ScramLoginModule required;`,
    'controller.listener.names=CONTROLLER',
    `log.dirs=${dataFolder}`,
    'auto.create.topics.enable=false',
    'offsets.topic.num.partitions=1',
    'offsets.topic.replication.factor=1',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'share.coordinator.state.topic.replication.factor=1',
    'share.coordinator.state.topic.min.isr=1',
    'group.initial.rebalance.delay.ms=0',
    '',
  ].join('\n')
}

/** All at once, so that they differ. The broker must be found under the same port after a restart, so it cannot choose for itself. */
async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
  return ports
}

async function waitUntilListening(port: number, child: ChildProcess): Promise<void> {
  const deadlineMs = performance.now() + START_BOUND_MS
  while (performance.now() < deadlineMs) {
    if (child.exitCode !== null) throw new Error(`Kafka ended with exit code ${child.exitCode} while starting`)
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await sleep(POLL_MS)
  }
  throw new Error(`Kafka did not listen within ${START_BOUND_MS} ms`)
}
