// A real Mosquitto for tests: one process on loopback, with its data in a folder of its own, that can be stopped and started again.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Certificates, makeCertificates } from './testing-certificates.ts'
import { until } from './testing-process.ts'

const MOSQUITTO = ['mosquitto', '/usr/sbin/mosquitto'].find((command) => spawnSync(command, ['-h']).error === undefined)
export const hasMosquitto = MOSQUITTO !== undefined

/** The one user of a broker that asks for a sign-in. */
export const MQTT_USER = { username: 'engine', password: 'hush: 100 % @home/#1' }

/** Mosquitto's `$7$`, PBKDF2 with SHA-512. Few turns: a test has nothing to hide. */
const TURNS = 101
const SALT_BYTES = 12
const VERIFIER_BYTES = 64

export type Broker = { readonly url: string; start(): Promise<void>; kill(): Promise<void> }
export type SecureBroker = Broker & { readonly certificates: Certificates }

/** Open to all, in plain text. */
export async function startMosquitto(t: TestContext): Promise<Broker> {
  const folder = makeFolder()
  return runMosquitto(t, folder, { scheme: 'mqtt', settings: ['allow_anonymous true'] })
}

/** TLS with certificates of its own, and the sign-in of `MQTT_USER`; with `asksForCertificate` only clients that its authority has signed. */
export async function startSecureMosquitto(t: TestContext, { asksForCertificate }: { asksForCertificate: boolean }): Promise<SecureBroker> {
  const folder = makeFolder()
  const certificates = makeCertificates(folder)
  const { authority, broker } = certificates
  const passwords = join(folder, 'passwords')
  writeFileSync(passwords, `${MQTT_USER.username}:${verifierOf(MQTT_USER.password)}\n`, { mode: 0o600 })
  const settings = [
    `cafile ${authority.certFile}`,
    `certfile ${broker.certFile}`,
    `keyfile ${broker.keyFile}`,
    `require_certificate ${asksForCertificate}`,
    'allow_anonymous false',
    `password_file ${passwords}`,
  ]
  return { ...(await runMosquitto(t, folder, { scheme: 'mqtts', settings })), certificates }
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'roadworthy-mosquitto-'))
}

function verifierOf(password: string): string {
  const salt = randomBytes(SALT_BYTES)
  const verifier = pbkdf2Sync(password, salt, TURNS, VERIFIER_BYTES, 'sha512')
  return `$7$${TURNS}$${salt.toString('base64')}$${verifier.toString('base64')}`
}

async function runMosquitto(t: TestContext, folder: string, { scheme, settings }: { scheme: string; settings: readonly string[] }) {
  const finder = createServer().listen(0, '127.0.0.1')
  await once(finder, 'listening')
  const { port } = finder.address() as { port: number }
  await finder[Symbol.asyncDispose]()
  const config = join(folder, 'mosquitto.conf')
  // It keeps sessions over SIGTERM only, so that is how it is restarted here.
  const kept = ['persistence true', `persistence_location ${folder}/`, 'user root']
  writeFileSync(config, `${[`listener ${port} 127.0.0.1`, ...settings, ...kept].join('\n')}\n`)
  let child: ChildProcess | undefined
  const kill = async () => {
    if (child === undefined || child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
  t.after(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const start = async () => {
    child = spawn(MOSQUITTO ?? '', ['-c', config], { stdio: 'ignore' })
    await until('Mosquitto listens', async () => {
      const socket = connect(port, '127.0.0.1')
      const isOpen = await once(socket, 'connect').then(
        () => true,
        () => false,
      )
      socket.destroy()
      return isOpen
    })
  }
  await start()
  return { url: `${scheme}://127.0.0.1:${port}`, start, kill }
}
