// Goal: of each usual mistake an operator reads what it is, why it matters and what to do. Method: the mistake itself, with real files, disks,
// sockets, certificates, a PostgreSQL, and one service behind a proxy that ends TLS.

import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, request } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { readInvocation } from '@roadworthy/platform/main/settings/settings'
import { findFreePort } from '@roadworthy/service-kit/network/free-ports'
import { type Certificates, hasOpenssl, makeCertificates } from '@roadworthy/service-kit/network/test-certificates'
import { startTestServer, type TestServer } from '@roadworthy/service-kit/postgres/test-database'
import { checkBaseUrl } from 'roadworthy/doctor/check-base-url'
import { checkCertificateFiles, checkServerCertificate, nameForDevices } from 'roadworthy/doctor/check-certificate'
import { checkDataFolder } from 'roadworthy/doctor/check-data-folder'
import { checkDatabase, judgeVersion } from 'roadworthy/doctor/check-database'
import { checkHistory } from 'roadworthy/doctor/check-history'
import { checkBuild, checkDisk, checkMachine, thisMachine } from 'roadworthy/doctor/check-machine'
import { checkNames } from 'roadworthy/doctor/check-names'
import { checkBroker, checkEngine, checkMail } from 'roadworthy/doctor/check-others'
import { checkPorts } from 'roadworthy/doctor/check-ports'
import type { Finding } from 'roadworthy/finding'
import { withClient } from '../../services/platform/src/backup/test-backup.ts'
import { startMailServer } from '../../services/platform/src/main/test-mail-server.ts'
import { BIN, roadworthy } from '../support/command-line.ts'
import { type RunningPlatform, startPlatform } from '../support/running-platform.ts'
import { startTlsFront } from '../support/tls-front.ts'

const now = new Date()
let folder: string
let certificates: Certificates
let server: TestServer
let platform: RunningPlatform
const cleanUps: (() => Promise<void>)[] = []

before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-doctor-'))
  certificates = makeCertificates(folder)
  server = await startTestServer()
  const after = (cleanUp: () => Promise<void>) => cleanUps.push(cleanUp)
  const front = await startTlsFront({ after }, certificates.broker)
  const port = await findFreePort()
  const flags = ['--port', String(port), '--base-url', `https://localhost:${front.port}`]
  platform = await startPlatform({ after }, { flags })
  front.forwardTo(`http://127.0.0.1:${port}`)
})

after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
  await server.stop()
  rmSync(folder, { recursive: true })
})

type Cleaner = { after(cleanUp: () => unknown): void }

async function listen(t: Cleaner, answer: RequestListener): Promise<string> {
  const listening = createServer(answer).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  t.after(() => {
    listening.closeAllConnections()
    listening.close()
  })
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
}

/** The finding, which is complete where something is not right. */
function found(findings: Finding | readonly Finding[], name: string, status: Finding['status']): string {
  const finding = [findings].flat().find((each) => each.name === name)
  assert.equal(finding?.status, status, JSON.stringify(findings))
  if (status === 'wrong' || status === 'warning') assert.ok(finding?.why !== undefined && finding.fix !== undefined, name)
  return finding?.detail ?? ''
}

/** A disk of its own; undefined where none can be mounted. */
function mountDisk(t: Cleaner, options: string): string | undefined {
  const disk = mkdtempSync(path.join(folder, 'disk-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk]).status !== 0) return undefined
  t.after(() => execFileSync('umount', [disk]))
  return disk
}

test('Node too old, little memory, few files, a small /dev/shm, a time zone that there is not', (t) => {
  const memoryLimit = path.join(folder, 'memory.max')
  writeFileSync(memoryLimit, `${256 * 1024 ** 2}\n`)
  const sharedMemory = mountDisk(t, 'size=16m')
  const machine = { ...thisMachine('Europe/Berln', true), nodeVersion: '20.19.0', memoryLimit }
  const findings = checkMachine(sharedMemory === undefined ? machine : { ...machine, sharedMemory })
  assert.match(found(findings, 'node', 'wrong'), /20\.19\.0 is older than 24\.12/)
  assert.match(found(findings, 'memory', 'wrong'), /256 MiB, the limit of the control group/)
  assert.match(found(findings, 'time zone', 'wrong'), /"Europe\/Berln", which is no time zone/)
  if (sharedMemory !== undefined) assert.match(found(findings, 'shared memory', 'warning'), /has 16 MiB; 64 are the least/)
  writeFileSync(memoryLimit, 'max\n')
  for (const name of ['node', 'memory', 'time zone'])
    found(checkMachine({ ...thisMachine('Europe/Berlin', true), memoryLimit }), name, 'ok')
})

test('a data folder that is read-only, readable by others, with a damaged key; a disk that is full', async (t) => {
  const open = mkdtempSync(path.join(folder, 'data-'))
  writeFileSync(path.join(open, 'secret-key'), 'short\n', { mode: 0o644 })
  chmodSync(path.join(open, 'secret-key'), 0o644)
  const findings = checkDataFolder(open)
  assert.match(found(findings, 'secrets of folder', 'wrong'), /secret-key can be read by others/)
  assert.match(found(findings, 'kept key', 'wrong'), /fewer than 32 characters/)
  found(findings, 'data folder rights', 'ok')
  const [readOnly, small] = [mountDisk(t, 'ro'), mountDisk(t, 'size=8m')]
  if (readOnly === undefined || small === undefined) return
  assert.match(found(checkDataFolder(readOnly), 'data folder rights', 'wrong'), /cannot be written \(EROFS\)/)
  assert.match(found(checkDisk(small), 'disk', 'wrong'), /^[0-8] MiB free/)
  assert.throws(() => writeFileSync(path.join(small, 'ballast'), Buffer.alloc(9 << 20)), { code: 'ENOSPC' })
  const fixes = await Promise.all([readOnly, small].map(async (on) => (await checkHistory({ kind: 'folder', folder: on })).fix))
  assert.match(fixes.join('\n'), /for writing\. .*ReadWritePaths.*\nFree some room/)
})

test('a port that another program has; pages that are older than their sources', async (t) => {
  const url = new URL(await listen(t, () => {}))
  const invocation = readInvocation(
    ['--port', url.port, '--mqtt-port', '0', '--engine-port', '0', '--metrics-port', '0', '--host', '127.0.0.1'],
    {},
  )
  assert.ok(invocation.kind === 'run')
  assert.equal(
    found(await checkPorts(invocation.configuration.settings), 'ports', 'wrong'),
    `cannot be opened: PORT ${url.port} (EADDRINUSE).`,
  )
  const root = mkdtempSync(path.join(folder, 'checkout-'))
  for (const part of ['src', 'dist']) mkdirSync(path.join(root, 'apps/dashboard', part), { recursive: true })
  writeFileSync(path.join(root, 'apps/dashboard/src/page.tsx'), '')
  assert.match(found(checkBuild(root), 'build', 'warning'), /not built/)
  writeFileSync(path.join(root, 'apps/dashboard/dist/built-from'), '')
  found(checkBuild(root), 'build', 'ok')
  utimesSync(path.join(root, 'apps/dashboard/dist/built-from'), 1, 1)
  assert.match(found(checkBuild(root), 'build', 'warning'), /older than 1 of its sources/)
})

test('a host that has no address', async () => {
  const detail = found(await checkNames([{ setting: 'SMTP_URL', host: 'mail.nowhere.invalid' }]), 'dns', 'wrong')
  assert.match(detail, /no address for mail\.nowhere\.invalid of SMTP_URL \((ENOTFOUND|EAI_AGAIN)\)/)
  found(
    await checkNames([
      { setting: 'BASE_URL', host: 'localhost' },
      { setting: 'ENGINE_URL', host: '10.0.0.1' },
    ]),
    'dns',
    'ok',
  )
})

test('certificates: expired, of another host, without their chain, of nobody; their files', {
  skip: !hasOpenssl && 'no openssl',
}, async (t) => {
  const { authority, broker, stranger } = certificates
  const ca = readFileSync(authority.certFile)
  const chained = makeChain()
  const show = async ({ certFile, keyFile }: { certFile: string; keyFile: string }, host = 'localhost', trusted: Buffer = ca) => {
    const listening = createHttpsServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }).listen(0, '127.0.0.1')
    await once(listening, 'listening')
    const { port } = listening.address() as AddressInfo
    return await checkServerCertificate('tls', { host, port, now, ca: trusted }).finally(() => listening.close())
  }
  found(await show(broker), 'tls', 'warning')
  assert.match(found(await show(expired()), 'tls', 'wrong'), /expired on /)
  assert.match(found(await show(stranger), 'tls', 'wrong'), /is not trusted here|is for /)
  assert.match(found(await show(chained.alone, 'localhost'), 'tls', 'wrong'), /without the chain/)
  assert.doesNotMatch((await show(chained.whole)).detail, /chain/)
  assert.match(found(await show(certificates.client), 'tls', 'wrong'), /is for .*roadworthy-test-client.*, not for localhost/)
  const plain = new URL(await listen(t, (_, answer) => answer.end()))
  assert.match(
    found(await checkServerCertificate('tls', { host: '127.0.0.1', port: Number(plain.port), now }), 'tls', 'wrong'),
    /does not speak TLS/,
  )

  const files = (certFile: string, keyFile: string, name?: string) =>
    checkCertificateFiles('mqtt tls', { certFile, keyFile, host: nameForDevices(name, undefined), now })
  assert.match(found(files(broker.certFile, stranger.keyFile), 'mqtt tls', 'wrong'), /is not the key of/)
  assert.match(found(files(broker.certFile, broker.keyFile, 'mqtt.example.com'), 'mqtt tls', 'wrong'), /not for mqtt.* of MQTT_PUBLIC_HOST/)
  assert.match(found(files(broker.certFile, broker.keyFile, 'localhost'), 'mqtt tls', 'warning'), /has no chain/)
  assert.match(found(files(expired().certFile, expired().keyFile), 'mqtt tls', 'wrong'), /expired on/)
  assert.match(found(files(path.join(folder, 'absent'), broker.keyFile), 'mqtt tls', 'wrong'), /ENOENT/)
})

const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe', timeout: 60_000 })

/** For localhost, and over since yesterday. */
function expired() {
  const [certFile, keyFile] = [path.join(folder, 'expired.pem'), certificates.broker.keyFile]
  writeFileSync(path.join(folder, 'san.txt'), 'subjectAltName=DNS:localhost')
  openssl('req', '-new', '-key', keyFile, '-subj', '/CN=expired', '-out', 'expired.csr')
  writeFileSync(path.join(folder, 'index.txt'), '')
  writeFileSync(path.join(folder, 'serial.txt'), '1000\n')
  const ca =
    '[ca]\ndefault_ca=x\n[x]\ndatabase=index.txt\nserial=serial.txt\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n'
  writeFileSync(path.join(folder, 'ca.cnf'), ca)
  const { certFile: authority, keyFile: key } = certificates.authority
  const dates = ['-startdate', '20200101000000Z', '-enddate', '20210101000000Z']
  openssl(
    'ca',
    '-batch',
    '-notext',
    '-config',
    'ca.cnf',
    '-cert',
    authority,
    '-keyfile',
    key,
    '-in',
    'expired.csr',
    '-out',
    certFile,
    '-extfile',
    'san.txt',
    ...dates,
  )
  return { certFile, keyFile }
}

/** Signed by an authority in between: the certificate alone, and with that of the authority. */
function makeChain() {
  const { certFile: root, keyFile: rootKey } = certificates.authority
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30']
  openssl('req', '-x509', ...made, '-subj', '/CN=between', '-CA', root, '-CAkey', rootKey, '-keyout', 'between.key', '-out', 'between.pem')
  const leaf = ['-subj', '/CN=leaf', '-CA', 'between.pem', '-CAkey', 'between.key', '-keyout', 'leaf.key', '-out', 'leaf.pem']
  openssl('req', '-x509', ...made, ...leaf, '-addext', 'subjectAltName=DNS:localhost', '-addext', 'basicConstraints=critical,CA:FALSE')
  const [alone, whole, keyFile] = ['leaf.pem', 'whole.pem', 'leaf.key'].map((name) => path.join(folder, name)) as [string, string, string]
  writeFileSync(whole, readFileSync(alone, 'utf8') + readFileSync(path.join(folder, 'between.pem'), 'utf8'))
  return { alone: { certFile: alone, keyFile }, whole: { certFile: whole, keyFile } }
}

test('a proxy that strips headers, one that buffers, a base URL that leads elsewhere or nowhere', async (t) => {
  const directUrl = `http://127.0.0.1:${portOf(platform)}`
  const apiKey = platform.credentials.api_key
  const proxy = (change: (headers: NodeJS.Dict<string | string[]>) => void, isBuffering = false) =>
    listen(t, ({ method, url = '/', headers }, answer) => {
      change(headers)
      const forwarded = request(new URL(url, directUrl), { method, headers }, (theirs) => {
        answer.writeHead(theirs.statusCode ?? 500, theirs.headers)
        if (!isBuffering) return theirs.pipe(answer)
        const held: Buffer[] = []
        theirs.on('data', (chunk: Buffer) => held.push(chunk))
        theirs.on('end', () => answer.end(Buffer.concat(held)))
        return theirs
      })
      forwarded.on('error', () => answer.destroy())
      answer.on('close', () => forwarded.destroy())
      forwarded.end()
    })
  const check = (publicUrl: string) => checkBaseUrl({ publicUrl, directUrl, apiKey })
  const good = await check(await proxy(() => {}))
  for (const name of ['base url', 'proxy headers', 'proxy buffering']) found(good, name, 'ok')
  const stripping = await check(await proxy((headers) => delete headers['x-api-key']))
  assert.match(found(stripping, 'proxy headers', 'wrong'), /X-API-Key does not arrive/)
  assert.match(found(await check(await proxy(() => {}, true)), 'proxy buffering', 'wrong'), /does not begin within 3 s more through/)
  assert.match(found(await check(await listen(t, (_, answer) => answer.end('hello'))), 'base url', 'wrong'), /not as Roadworthy does/)
  const another = await listen(t, ({ url, headers }, answer) => {
    answer.writeHead(url?.includes('health') === true ? 200 : 401, { 'x-request-id': headers['x-request-id'] ?? 'none' })
    answer.end(url?.includes('health') === true ? '{"status":"healthy"}' : '{"error":{"details":{"reason":"invalid"}}}')
  })
  assert.match(found((await check(another)).slice(1), 'base url', 'wrong'), /leads to another Roadworthy/)
  const elsewhere = `http://127.0.0.1:${await findFreePort()}`
  found(await checkBaseUrl({ publicUrl: directUrl, directUrl: elsewhere, apiKey }), 'proxy headers', 'skipped')
  assert.match(
    found(await check(`http://127.0.0.1:${await findFreePort()}`), 'base url', 'wrong'),
    /nothing answers at .* \(ECONNREFUSED\)/,
  )
})

function portOf({ process: { spawnargs } }: RunningPlatform): string {
  return spawnargs[spawnargs.lastIndexOf('--port') + 1] ?? ''
}

test('a database: refused, missing, in another zone, with few connections, without rights, of another key, of an old version', async () => {
  const here = Object.assign(new URL(server.url), { pathname: '/spare' }).href
  await withClient(server.url, async (client) => {
    await client.query('create database spare template template0')
    await client.query(`alter database spare set timezone to 'Asia/Kolkata'`)
    await client.query('alter database spare connection limit 7')
    await client.query(`create role modest login password 'modest'`)
    await client.query(`create database ascii template template0 encoding 'SQL_ASCII' locale 'C'`)
  })
  const target = { secretKey: undefined, connectionCount: 32, now: () => new Date() }
  const check = (ownerUrl: string, changes = {}) => checkDatabase({ ...target, ownerUrl, ...changes })
  const changed = (base: string, changes: object) => Object.assign(new URL(base), changes).href

  assert.match(found(await check(changed(server.url, { password: 'wrong' })), 'database', 'wrong'), /refuses the password/)
  assert.match(found(await check(changed(server.url, { pathname: '/nowhere' })), 'database', 'wrong'), /has no database nowhere/)
  const silent = changed(server.url, { port: String(await findFreePort()) })
  assert.match(found(await check(silent), 'database', 'wrong'), /No PostgreSQL answers at .* \(ECONNREFUSED\)/)
  const spare = await check(here)
  assert.match(found(spare, 'database zone', 'warning'), /Asia\/Kolkata/)
  assert.match(found(spare, 'connections', 'wrong'), /^7 at once/)
  assert.match(found(spare, 'durability', 'warning'), /fsync/)
  found(spare, 'secret key', 'ok')
  const modest = await check(changed(here, { username: 'modest', password: 'modest' }))
  assert.match(found(modest, 'database rights', 'wrong'), /may not create tables in the schema public, nor the roles/)
  assert.match(found(await check(changed(server.url, { pathname: '/ascii' })), 'database', 'wrong'), /encoding SQL_ASCII/)
  assert.match(found(await check(here, { now: () => new Date(Date.now() + 120_000) }), 'database clock', 'wrong'), /1[12]\d s ahead of/)
  assert.match(
    found(judgeVersion({ versionNumber: 130_011, version: '13.11', encoding: 'UTF8' }), 'database', 'wrong'),
    /13\.11 is older than 14/,
  )

  const own = platform.databaseUrl
  assert.match(found(await check(own), 'secret key', 'wrong'), /neither SECRET_KEY nor a file/)
  assert.match(
    found(await check(own, { secretKey: 'another secret key of 32 characters' }), 'secret key', 'wrong'),
    /is another than the one/,
  )
  found(await check(own, { secretKey: platform.env.SECRET_KEY }), 'secret key', 'ok')
})

test('a broker, an engine and a mail server that are not there, or something else, or of another version', async (t) => {
  const nothing = `127.0.0.1:${await findFreePort()}`
  const web = new URL(await listen(t, (_, answer) => answer.end('{}')))
  assert.match(found(await checkBroker(`mqtt://${nothing}`), 'mqtt', 'wrong'), /No MQTT broker answers at .* \(ECONNREFUSED\)/)
  assert.match(found(await checkBroker(`mqtt://${web.host}`), 'mqtt', 'wrong'), /No MQTT broker answers/)
  found(await checkBroker(platform.credentials.mqtt_url), 'mqtt', 'ok')
  assert.match(found(await checkEngine(`http://${nothing}`), 'engine', 'wrong'), /Nothing answers/)
  assert.match(found(await checkEngine(web.origin), 'engine', 'wrong'), /is no engine of Roadworthy/)
  const old = await listen(t, (_, answer) => answer.end('{"status":"healthy","version":"1.9.0","models_loaded":true}'))
  assert.match(found(await checkEngine(old), 'engine', 'warning'), /version 1\.9\.0.*this is 2\.0\.0/)
  const mail = await startMailServer(t)
  found(await checkMail(mail.url), 'mail', 'ok')
  assert.match(found(await checkMail(`smtp://${nothing}`), 'mail', 'wrong'), /ECONNREFUSED/)
  assert.match(found(await checkMail(mail.url.replace('//', '//me:wrong@')), 'mail', 'wrong'), /does not take mail/)
  assert.equal(mail.received.length, 0)
})

type Answer = { ok: boolean; checks: Finding[] }

test('the command: behind a proxy that is not named, then without an instance, with wrong settings and few files', async (t) => {
  const baseUrl = platform.credentials.base_url
  const env = { ...platform.env, BASE_URL: baseUrl, PORT: portOf(platform), NODE_EXTRA_CA_CERTS: certificates.authority.certFile }
  const behind = await roadworthy(['doctor', '--data-dir', platform.dataDir, '--json'], { env })
  const { checks } = JSON.parse(behind.stdout) as Answer
  assert.equal(behind.code, 1)
  assert.match(found(checks, 'trust proxy', 'wrong'), /for plain http/)
  for (const name of [
    ...['settings', 'api', 'api key', 'clock', 'ready', 'engine'],
    ...['mqtt', 'database', 'secret key', 'base url', 'proxy headers'],
  ]) {
    found(checks, name, 'ok')
  }
  assert.match(behind.stderr, /^error: Something is wrong with: trust proxy\.\n$/)

  const otherEngine = `http://127.0.0.1:${await findFreePort()}`
  const changed = await roadworthy(['doctor', '--data-dir', platform.dataDir, '--json'], {
    env: { ...env, ENGINE_URL: otherEngine, READING_HOT_DAYS: '40' },
  })
  const { checks: ofChanged } = JSON.parse(changed.stdout) as Answer
  assert.ok(found(ofChanged, 'engine', 'wrong').includes(otherEngine), 'that of the settings, not of the last start')
  found(ofChanged, 'unknown settings', 'warning')

  const inParts = { ...env, ENGINE_URL: platform.credentials.engine_url, MQTT_PORT: new URL(platform.credentials.mqtt_url).port }
  const parts = [
    ['worker', { credentials: 'skipped', api: 'skipped', ready: 'ok', engine: 'ok', mqtt: 'skipped', 'base url': 'skipped' }],
    ['receivers', { credentials: 'skipped', ready: 'ok', mqtt: 'ok', 'shared memory': 'skipped' }],
    ['worker,receivers', { mqtt: 'ok', engine: 'ok' }],
  ] as const
  for (const [roles, wanted] of parts) {
    const alone = await roadworthy(['doctor', '--data-dir', mkdtempSync(path.join(folder, 'part-')), '--json'], {
      env: { ...inParts, ROLES: roles, HISTORY_DIR: mkdtempSync(path.join(folder, 'history-')) },
    })
    const { checks: ofPart } = JSON.parse(alone.stdout) as Answer
    assert.deepEqual([alone.code, ofPart.filter(({ status }) => status === 'wrong')], [0, []], roles)
    for (const [name, status] of Object.entries(wanted)) found(ofPart, name, status)
  }
  const sent: unknown[] = []
  const stranger = await listen(t, ({ headers }, answer) => {
    sent.push(headers.authorization)
    answer.end('{"status":"healthy","version":"2.0.0","models_loaded":true}')
  })
  const asked = ['doctor', '--data-dir', folder, '--engine-url', stranger, '--json']
  await roadworthy(asked, { env: { ...inParts, ROLES: 'worker', ENGINE_KEY: 'k'.repeat(40) } })
  assert.deepEqual([sent.length > 0, sent.filter((key) => key !== undefined)], [true, []])
  const nobody = { ...inParts, ROLES: 'worker', PORT: String(await findFreePort()) }
  const gone = await roadworthy(['doctor', '--data-dir', folder, '--json'], { env: nobody })
  found((JSON.parse(gone.stdout) as Answer).checks, 'ready', 'wrong')

  const late = await listen(t, ({ url }, answer) => {
    answer.setHeader('date', new Date(Date.now() - 300_000).toUTCString())
    answer.end(url === '/api/external/health' ? '{"status":"healthy","version":"1.0.0"}' : '{}')
  })
  const script = `ulimit -n 256; exec "${process.execPath}" "${BIN}" doctor --base-url ${late} --api-key x --json`
  const empty = mkdtempSync(path.join(folder, 'empty-'))
  const child = spawn('sh', ['-c', script], {
    cwd: empty,
    env: { PATH: process.env['PATH'], PORT: 'x' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { checks: others } = JSON.parse(await text(child.stdout)) as Answer
  assert.match(found(others, 'open files', 'warning'), /^256 may be open/)
  assert.match(found(others, 'settings', 'wrong'), /PORT is "x"/)
  assert.match(found(others, 'clock', 'wrong'), /(299|3\d\d) s ahead of the service's/)
  assert.match(found(others, 'api', 'warning'), /version 1\.0\.0; this checkout is 2\.0\.0/)
})
