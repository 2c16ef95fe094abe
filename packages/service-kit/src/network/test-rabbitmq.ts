// A real RabbitMQ for tests: one node on loopback, with its data, its cookie and its name service (epmd) its own, so that it meets no other.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findFreePorts } from './free-ports.ts'

/** Where Debian and the packages of RabbitMQ put the scripts; those in `/usr/sbin` change the user first, and its folders with it. */
const SCRIPTS = '/usr/lib/rabbitmq/bin'
export const hasRabbitMq = existsSync(join(SCRIPTS, 'rabbitmq-server'))

const START_BOUND_MS = 90_000
const STOP_BOUND_MS = 20_000
const CONTROL_BOUND_MS = 60_000
const POLL_MS = 50
const IS_READY = 'Server startup complete'

export type RabbitMq = {
  /** Of its MQTT listener. */
  readonly url: string
  readonly port: number
  /** All that it has logged. */
  readonly output: () => string
  /** `rabbitmqctl` against this node; what it printed. Rejects when it fails. */
  control(...args: string[]): Promise<string>
}

/** With a `rabbitmq.conf` and an `advanced.config`; its listeners are set here. AMQP is closed. */
export async function startRabbitMq(
  t: Pick<TestContext, 'after'>,
  { plugins, settings, advanced }: { plugins: readonly string[]; settings: string; advanced: string },
): Promise<RabbitMq> {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-rabbitmq-'))
  const [port = 0, distributionPort = 0, epmdPort = 0] = await findFreePorts(3)
  const env = environmentOf(folder, distributionPort, epmdPort)
  mkdirSync(env.HOME)
  writeFileSync(env.RABBITMQ_ENABLED_PLUGINS_FILE, `[${plugins.join(',')}].\n`)
  const own = ['listeners.tcp = none', `mqtt.listeners.tcp.default = 127.0.0.1:${port}`, 'log.file = false', 'log.console = true']
  writeFileSync(env.RABBITMQ_CONFIG_FILE, `${settings}\n${own.join('\n')}\n`)
  writeFileSync(env.RABBITMQ_ADVANCED_CONFIG_FILE, advanced)
  const children: ChildProcess[] = []
  t.after(async () => {
    // The node leaves epmd, which goes last.
    for (const child of children.reverse()) await stop(child)
    rmSync(folder, { recursive: true, force: true })
  })
  // Left to itself the node starts one that outlives it.
  children.push(spawn('epmd', ['-address', '127.0.0.1', '-port', String(epmdPort)], { stdio: 'ignore', env }))
  const node = spawn(join(SCRIPTS, 'rabbitmq-server'), [], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env })
  children.push(node)
  let output = ''
  for (const stream of [node.stdout, node.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const deadlineMs = performance.now() + START_BOUND_MS
  while (!output.includes(IS_READY)) {
    if (node.exitCode !== null || performance.now() > deadlineMs) throw new Error(`RabbitMQ has not started:\n${output}`)
    await sleep(POLL_MS)
  }
  return {
    url: `mqtt://127.0.0.1:${port}`,
    port,
    output: () => output,
    async control(...args) {
      const { stdout } = await promisify(execFile)(join(SCRIPTS, 'rabbitmqctl'), args, { env, cwd: folder, timeout: CONTROL_BOUND_MS })
      return stdout
    },
  }
}

function environmentOf(folder: string, distributionPort: number, epmdPort: number) {
  return {
    PATH: process.env['PATH'] ?? '',
    LANG: 'C.UTF-8',
    /** Of the cookie. */
    HOME: join(folder, 'home'),
    RABBITMQ_NODENAME: `test-${randomBytes(6).toString('hex')}@localhost`,
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    // Not what the machine's own RabbitMQ is set to.
    RABBITMQ_ADVANCED_CONFIG_FILE: join(folder, 'advanced.config'),
    RABBITMQ_CONFIG_FILES: join(folder, 'conf.d'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'rabbitmq-env.conf'),
    RABBITMQ_DIST_PORT: String(distributionPort),
    ERL_EPMD_PORT: String(epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    // The script then becomes the server, so that the id of the one is that of the other.
    RUNNING_UNDER_SYSTEMD: 'true',
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_BOUND_MS)
  await exited
  clearTimeout(force)
}
