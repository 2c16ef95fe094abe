// A real Kafka broker for tests: one process in KRaft mode on loopback, with its data in a folder of its own, that can be killed and started again.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

export type KafkaBroker = {
  readonly address: string
  start(): Promise<void>
  /** SIGTERM, so that it leaves its log clean; SIGKILL, so that it does not. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

export async function createKafkaBroker(classPath: string): Promise<KafkaBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-kafka-'))
  const [port, controllerPort] = await findFreePorts()
  const properties = join(folder, 'server.properties')
  writeFileSync(properties, serverProperties({ port, controllerPort, dataFolder: join(folder, 'data') }))
  const format = ['-cp', classPath, 'kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', properties]
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

function serverProperties({ port, controllerPort, dataFolder }: { port: number; controllerPort: number; dataFolder: string }): string {
  return [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names=CONTROLLER',
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    `log.dirs=${dataFolder}`,
    'auto.create.topics.enable=false',
    'offsets.topic.num.partitions=1',
    'offsets.topic.replication.factor=1',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'share.coordinator.state.topic.replication.factor=1',
    'share.coordinator.state.topic.min.isr=1',
    'group.initial.rebalance.delay.ms=0',
    `message.max.bytes=${MAX_MESSAGE_BYTES}`,
    '',
  ].join('\n')
}

/** Two at once, so that they differ. The broker must be found under the same port after a restart, so it cannot choose for itself. */
async function findFreePorts(): Promise<[number, number]> {
  const servers = [createServer().listen(0, '127.0.0.1'), createServer().listen(0, '127.0.0.1')] as const
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const [first, second] = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
  return [first ?? 0, second ?? 0]
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
