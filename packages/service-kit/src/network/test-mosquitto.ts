// A real Mosquitto for tests: one process on loopback, with its data in a folder of its own, that can be stopped and started again.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './free-ports.ts'
import { type Certificates, makeCertificates } from './test-certificates.ts'

const MOSQUITTO = ['mosquitto', '/usr/sbin/mosquitto'].find((command) => spawnSync(command, ['-h']).error === undefined)
export const hasMosquitto = MOSQUITTO !== undefined

const LIBRARIES = { arm64: '/usr/lib/aarch64-linux-gnu', x64: '/usr/lib/x86_64-linux-gnu' }
const DYNAMIC_SECURITY = [...Object.values(LIBRARIES), '/usr/lib']
  .map((folder) => join(folder, 'mosquitto_dynamic_security.so'))
  .find((path) => existsSync(path))
/** Whether the plugin is where Debian puts it. */
export const hasDynamicSecurity = hasMosquitto && DYNAMIC_SECURITY !== undefined

/** The one user of a broker that asks for a sign-in. */
export const MQTT_USER = { username: 'engine', password: 'hush: 100 % @home/#1' }

/** Mosquitto's `$7$`, PBKDF2 with SHA-512. Few turns: a test has nothing to hide. */
const TURNS = 101
const SALT_BYTES = 12
const VERIFIER_BYTES = 64

const LISTEN_BOUND_MS = 30_000
const POLL_MS = 20

export type Broker = {
  readonly url: string
  readonly port: number
  start(): Promise<void>
  kill(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  reload(): void
}
export type SecureBroker = Broker & { readonly certificates: Certificates }

/** Open to all, in plain text. */
export async function startMosquitto(t: Pick<TestContext, 'after'>): Promise<Broker> {
  return startMosquittoWith(t, () => ['allow_anonymous true'])
}

/** With settings of a test's own, which may name files in the folder of the broker. */
export async function startMosquittoWith(
  t: Pick<TestContext, 'after'>,
  settingsIn: (folder: string) => readonly string[],
): Promise<Broker> {
  const folder = makeFolder()
  return runMosquitto(t, folder, { scheme: 'mqtt', settings: settingsIn(folder) })
}

/** TLS with certificates of its own, and the sign-in of `MQTT_USER`; with `asksForCertificate` only clients that its authority has signed. */
export async function startSecureMosquitto(
  t: Pick<TestContext, 'after'>,
  { asksForCertificate }: { asksForCertificate: boolean },
): Promise<SecureBroker> {
  const folder = makeFolder()
  const certificates = makeCertificates(folder)
  const { authority, broker } = certificates
  const settings = [
    `cafile ${authority.certFile}`,
    `certfile ${broker.certFile}`,
    `keyfile ${broker.keyFile}`,
    `require_certificate ${asksForCertificate}`,
    'allow_anonymous false',
    `password_file ${writePasswords(folder, [MQTT_USER])}`,
  ]
  return { ...(await runMosquitto(t, folder, { scheme: 'mqtts', settings })), certificates }
}

/** A password file of the folder. */
function writePasswords(folder: string, users: readonly { username: string; password: string }[]): string {
  const path = join(folder, 'passwords')
  const lines = users.map(({ username, password }) => `${username}:${verifierOf(password)}\n`)
  writeFileSync(path, lines.join(''), { mode: 0o600 })
  return path
}

/** The settings of the dynamic-security plugin with a configuration of its own in the folder: `MQTT_USER` may do everything, nobody else anything. */
export function dynamicSecurityIn(folder: string): string[] {
  const [, turns, salt, verifier] = verifierOf(MQTT_USER.password).slice(1).split('$')
  const everything = [
    { acltype: 'publishClientSend', topic: '#', allow: true },
    { acltype: 'publishClientSend', topic: '$CONTROL/dynamic-security/#', allow: true },
    { acltype: 'publishClientReceive', topic: '#', allow: true },
    { acltype: 'publishClientReceive', topic: '$CONTROL/dynamic-security/#', allow: true },
    { acltype: 'subscribePattern', topic: '#', allow: true },
    { acltype: 'subscribePattern', topic: '$CONTROL/dynamic-security/#', allow: true },
  ]
  const user = { username: MQTT_USER.username, password: verifier, salt, iterations: Number(turns), roles: [{ rolename: 'platform' }] }
  const access = { publishClientSend: false, publishClientReceive: false, subscribe: false, unsubscribe: true }
  const path = join(folder, 'dynamic-security.json')
  writeFileSync(path, JSON.stringify({ clients: [user], roles: [{ rolename: 'platform', acls: everything }], defaultACLAccess: access }), {
    mode: 0o600,
  })
  return dynamicSecurityFrom(path)
}

/** The settings of the plugin with a configuration that is there. */
export function dynamicSecurityFrom(path: string): string[] {
  return ['allow_anonymous false', `plugin ${DYNAMIC_SECURITY}`, `plugin_opt_config_file ${path}`]
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'roadworthy-mosquitto-'))
}

function verifierOf(password: string): string {
  const salt = randomBytes(SALT_BYTES)
  const verifier = pbkdf2Sync(password, salt, TURNS, VERIFIER_BYTES, 'sha512')
  return `$7$${TURNS}$${salt.toString('base64')}$${verifier.toString('base64')}`
}

async function runMosquitto(
  t: Pick<TestContext, 'after'>,
  folder: string,
  { scheme, settings }: { scheme: string; settings: readonly string[] },
): Promise<Broker> {
  const port = await findFreePort()
  const config = join(folder, 'mosquitto.conf')
  // It keeps sessions over SIGTERM only, so that is how it is restarted here.
  const kept = ['persistence true', `persistence_location ${folder}/`, 'user root']
  writeFileSync(config, `${[`listener ${port} 127.0.0.1`, ...settings, ...kept].join('\n')}\n`)
  let child: ChildProcess | undefined
  const kill = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  t.after(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const start = async () => {
    child = spawn(MOSQUITTO ?? '', ['-c', config], { stdio: 'ignore' })
    await untilListening(port)
  }
  await start()
  return { url: `${scheme}://127.0.0.1:${port}`, port, start, kill, reload: () => void child?.kill('SIGHUP') }
}

async function untilListening(port: number): Promise<void> {
  const deadlineMs = performance.now() + LISTEN_BOUND_MS
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    if (performance.now() > deadlineMs) throw new Error(`in ${LISTEN_BOUND_MS} ms no Mosquitto listened on ${port}`)
    await sleep(POLL_MS)
  }
}
