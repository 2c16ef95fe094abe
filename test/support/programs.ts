// Programs that stand beside the service in an installation of several processes, from the Debian packages: HAProxy and PgBouncer. Tests that want them
// skip where they are not.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chownSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '@roadworthy/service-kit/network/free-ports'
import { APP_ROLE, rolePassword, SYSTEM_ROLE } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const OPEN_WITHIN_MS = 120_000
const NOBODY = 65_534

/** Where a program is, also where only root looks for it. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** HAProxy with the configuration that is shipped; `env`: its addresses. */
export async function startHaproxy(t: CleanUp, program: string, env: Readonly<Record<string, string>>, openPort: number): Promise<void> {
  const given = { ...env, ERROR_503: join(DEPLOY, 'haproxy/503.http') }
  await run(t, spawn(program, ['-db', '-f', join(DEPLOY, 'haproxy/haproxy.cfg')], { env: { ...process.env, ...given } }), openPort)
}

/** As `npx roadworthy pgbouncer users` writes them. */
export function pgbouncerUsers(secretKey: string): string {
  return [APP_ROLE, SYSTEM_ROLE].map((role) => `"${role}" "${rolePassword(role, secretKey)}"\n`).join('')
}

/** PgBouncer with the configuration that is shipped, in front of `databaseUrl`; answers the URL through it. `users`: what `auth_file` holds. */
export async function startPgbouncer(t: CleanUp, program: string, databaseUrl: string, users: string): Promise<string> {
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-pgbouncer-'))
  t.after(async () => rmSync(folder, { recursive: true, force: true }))
  const { hostname, port: serverPort, pathname } = new URL(databaseUrl)
  writeFileSync(join(folder, 'userlist.txt'), users)
  const shipped = readFileSync(join(DEPLOY, 'pgbouncer/pgbouncer.ini'), 'utf8')
  const own = Object.entries({
    roadworthy: `host=${hostname} port=${serverPort} dbname=${pathname.slice(1)}`,
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    auth_file: join(folder, 'userlist.txt'),
  }).reduce((text, [name, value]) => text.replace(new RegExp(`^${name} = .*$`, 'm'), `${name} = ${value}`), shipped)
  writeFileSync(join(folder, 'pgbouncer.ini'), `${own}unix_socket_dir =\n`)
  // It does not run as root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [folder, join(folder, 'userlist.txt'), join(folder, 'pgbouncer.ini')]) chownSync(path, NOBODY, NOBODY)
  const asNobody = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  await run(t, spawn(program, [join(folder, 'pgbouncer.ini')], { ...asNobody, env: {} }), port)
  const url = new URL(databaseUrl)
  url.port = String(port)
  url.pathname = '/roadworthy'
  return url.href
}

async function run(t: CleanUp, child: ChildProcess, port: number): Promise<void> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output = `${output}${chunk}`.slice(-5_000)))
  const closed = once(child, 'close')
  t.after(async () => {
    child.kill('SIGKILL')
    await closed
  })
  for (let waitedMs = 0; waitedMs < OPEN_WITHIN_MS; waitedMs += 20) {
    assert.equal(child.exitCode, null, output)
    if (await isOpen(port)) return
    await sleep(20)
  }
  assert.fail(`it did not open port ${port}: ${output}`)
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
