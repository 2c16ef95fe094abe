// A real Kafka broker for tests: one process in KRaft mode on loopback, with its data in a folder of its own, that can be killed and started again.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePorts } from '@roadworthy/service-kit/network/free-ports'
import { type Certificates, makeCertificates } from '@roadworthy/service-kit/network/test-certificates'

const START_BOUND_MS = 180_000
const STOP_BOUND_MS = 20_000
const POLL_MS = 100
const FORMAT_BOUND_MS = 180_000
/** A base64url UUID, as `kafka-storage random-uuid` makes them. */
const CLUSTER_ID = 'cm9hZHdvcnRoeS10ZXN0cw'
const SCRAM = ['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const

/** The one user of the listeners that ask for a sign-in. */
export const SASL_USER = { username: 'engine', password: 'hush-hush' }

export type KafkaBroker = {
  /** Of the listener that is open to all, in plain text. */
  readonly address: string
  /** Of the listener with SASL and without TLS. */
  readonly signInAddress: string
  /** Of the listener with TLS and SASL. */
  readonly secureAddress: string
  /** Of the listener with TLS, for clients with a certificate. */
  readonly certificateAddress: string
  readonly certificates: Certificates
  start(): Promise<void>
  /** SIGTERM, so that it leaves its log clean; SIGKILL, so that it does not. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

export async function createKafkaBroker(classPath: string): Promise<KafkaBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-kafka-'))
  const [port = 0, controllerPort = 0, signInPort = 0, securePort = 0, certificatePort = 0] = await findFreePorts(5)
  const certificates = makeCertificates(folder)
  const identityFile = join(folder, 'identity.pem')
  // As Kafka wants it: key and chain in one file.
  const parts = [certificates.broker.keyFile, certificates.broker.certFile, certificates.authority.certFile]
  writeFileSync(identityFile, parts.map((file) => readFileSync(file, 'utf8')).join(''))
  const properties = join(folder, 'server.properties')
  const ports = { port, controllerPort, signInPort, securePort, certificatePort }
  const files = { identityFile, authorityFile: certificates.authority.certFile, dataFolder: join(folder, 'data') }
  writeFileSync(properties, serverProperties({ ...ports, ...files }))
  const format = ['-cp', classPath, 'kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', properties]
  const { username, password } = SASL_USER
  for (const mechanism of SCRAM) format.push('--add-scram', `${mechanism}=[name=${username},password=${password}]`)
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
    signInAddress: `127.0.0.1:${signInPort}`,
    secureAddress: `127.0.0.1:${securePort}`,
    certificateAddress: `127.0.0.1:${certificatePort}`,
    certificates,
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

type ServerOptions = Readonly<
  Record<'port' | 'controllerPort' | 'signInPort' | 'securePort' | 'certificatePort', number> &
    Record<'identityFile' | 'authorityFile' | 'dataFolder', string>
>

function serverProperties(options: ServerOptions): string {
  const { port, controllerPort, signInPort, securePort, certificatePort, identityFile, authorityFile, dataFolder } = options
  const open = { PLAINTEXT: port, SIGNIN: signInPort, SECURE: securePort, CERTIFICATE: certificatePort }
  const listeners = Object.entries(open).map(([name, at]) => `${name}://127.0.0.1:${at}`)
  const protocols = 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SIGNIN:SASL_PLAINTEXT,SECURE:SASL_SSL,CERTIFICATE:SSL'
  return [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
    `listeners=${listeners.join(',')},CONTROLLER://127.0.0.1:${controllerPort}`,
    `advertised.listeners=${listeners.join(',')}`,
    `listener.security.protocol.map=${protocols}`,
    `sasl.enabled.mechanisms=PLAIN,${SCRAM.join(',')}`,
    ...['secure', 'certificate'].flatMap((name) => [
      `listener.name.${name}.ssl.keystore.type=PEM`,
      `listener.name.${name}.ssl.keystore.location=${identityFile}`,
    ]),
    'listener.name.certificate.ssl.client.auth=required',
    'listener.name.certificate.ssl.truststore.type=PEM',
    `listener.name.certificate.ssl.truststore.location=${authorityFile}`,
    ...['secure', 'signin'].flatMap(signInProperties),
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

function signInProperties(listener: string): string[] {
  const { username, password } = SASL_USER
  const modules = 'org.apache.kafka.common.security'
  const prefix = `listener.name.${listener}`
  return [
    `${prefix}.sasl.enabled.mechanisms=PLAIN,${SCRAM.join(',')}`,
    `${prefix}.plain.sasl.jaas.config=${modules}.plain.PlainLoginModule required user_${username}="${password}";`,
    ...SCRAM.map((mechanism) => `${prefix}.${mechanism.toLowerCase()}.sasl.jaas.config=${modules}.scram.ScramLoginModule required;`),
  ]
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
