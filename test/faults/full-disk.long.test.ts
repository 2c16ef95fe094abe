// Goal: a full disk loses nothing and is reported, once; a disk that is too small is refused before anything is begun. Method: real small disks, as
// tmpfs, which takes root to mount.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { connectAsync } from 'mqtt'
import { withNewFolder } from '../../services/platform/src/main/restore/restore-folder.ts'
import { lastFirst } from '../../services/platform/src/surfaces/test-api.ts'
import { untilTaken } from '../../services/platform/src/test-support.ts'
import { RunningService } from '../e2e/running-service.ts'
import { call, callPatiently } from '../support/running-platform.ts'
import { until } from '../support/until.ts'

/** A folder on a disk of its own; undefined where none can be mounted. */
function smallDisk(t: CleanUp & Pick<TestContext, 'skip'>, sizeMib: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    rmSync(folder, { recursive: true })
    t.skip(`no small disk can be mounted here: ${(error as Error).message.split('\n')[1] ?? (error as Error).message}`)
    return undefined
  }
  t.after(async () => {
    execFileSync('umount', [folder])
    rmSync(folder, { recursive: true })
  })
  // Run as root, PostgreSQL belongs to another account, which must be able to enter.
  chmodSync(folder, 0o755)
  return folder
}

/** Writes until nothing more goes onto the disk. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w')
  for (let size = 1 << 20; size >= 1; ) {
    try {
      if (writeSync(descriptor, Buffer.alloc(size)) < size) size >>= 1
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
      size >>= 1
    }
  }
  closeSync(descriptor)
}

const batch = (nth: number) => ({
  records: Array.from({ length: 100 }, (_, i) => ({
    vehicle_id: 'truck-1',
    timestamp: new Date(Date.now() - (nth * 100 + i) * 1000).toISOString(),
    note: randomBytes(3_000).toString('base64'),
  })),
})

/** A device that publishes numbered readings and keeps what is not acknowledged, as devices do. */
async function connectDevice(t: CleanUp, { baseUrl, key, mqttUrl }: { baseUrl: string; key: string; mqttUrl: string }) {
  const vehicle = { mode: 'create', license_plate: 'KA01AB1234' }
  const { body } = await callPatiently(baseUrl, 'POST', '/api/external/devices', { key, body: { name: 'tracker', vehicle } })
  const registered = body as Record<string, string>
  const [username, password] = [String(registered['mqtt_username']), String(registered['mqtt_password'])]
  const identity = { clientId: String(registered['device_id']), username, password }
  const client = await connectAsync(mqttUrl, { ...identity, reconnectPeriod: 200, reconnectOnConnackError: true }, false)
  client.on('error', () => undefined)
  t.after(() => client.endAsync(true))
  const startMs = Date.now() - 3_600_000
  const underWay = new Map<number, Promise<unknown>>()
  return {
    /** The receiver closes the connection of a device whose reading it cannot store. */
    publish: async (nth: number) => {
      const timestamp = new Date(startMs + nth * 1000).toISOString()
      const reading = { timestamp, odometer: nth, note: randomBytes(5_000).toString('base64') }
      const acknowledged = client.publishAsync(String(registered['mqtt_topic']), JSON.stringify(reading), { qos: 1 })
      underWay.set(nth, acknowledged)
      const cutOff = new Promise((resolve) => client.once('close', () => resolve('cut off')))
      return await Promise.race([acknowledged.then(() => 'acknowledged'), cutOff])
    },
    untilAcknowledged: async (nth: number) => void (await underWay.get(nth)),
    storedNths: async () => {
      const vehiclePath = `/api/v1/vehicles/${registered['vehicle_id']}/readings`
      const { body } = await callPatiently(baseUrl, 'GET', `${vehiclePath}?from=${new Date(startMs - 1).toISOString()}&limit=500`, { key })
      return (body as unknown as { readings: { recordedAt: string }[] }).readings
        .map(({ recordedAt }) => (Date.parse(recordedAt) - startMs) / 1000)
        .sort((a, b) => a - b)
    },
  }
}

async function untilPrinted(service: RunningService, text: RegExp): Promise<void> {
  for (let turn = 0; turn < 1_200 && !text.test(service.stdout); turn++) await sleep(100)
  assert.match(service.stdout, text)
}

test('a first start on a disk that is too small ends with one sentence', async (t) => {
  const disk = smallDisk(t, 64)
  if (disk === undefined) return
  const service = new RunningService(join(disk, 'data'))
  assert.equal(await service.exit(), 1)
  assert.match(service.stderr, /^DATA_DIR .* is on a disk with 6\d MiB free, and a first start needs 256 MiB\..*\n$/)
})

test('a restore onto a disk that is full reports that, whatever it met', async (t) => {
  const disk = smallDisk(t, 1)
  if (disk === undefined) return
  const restoreBy = async (fail: (dataDir: string) => void) => await withNewFolder(join(disk, 'data'), {}, async (dataDir) => fail(dataDir))
  const full = { name: 'BackupProblem', message: /^The disk of \/.* is full: \d MiB are left\. Nothing is restored\. / }
  const endWithServer = () => {
    throw new Error('Connection terminated unexpectedly')
  }
  await assert.rejects(restoreBy(endWithServer), full)
  await assert.rejects(
    restoreBy((dataDir) => writeFileSync(join(dataDir, 'row'), Buffer.alloc(2 << 20))),
    full,
  )
  // Before anything of the restore is there.
  fill(join(disk, 'ballast'))
  await assert.rejects(restoreBy(endWithServer), full)
})

test('on a full disk nothing is acknowledged, the service is not ready, and the log has a line; with room again all goes on', async (t) => {
  const cleanUp = lastFirst(t)
  const disk = smallDisk({ after: cleanUp.after, skip: (why) => t.skip(why) }, 400)
  if (disk === undefined) return
  const service = new RunningService(join(disk, 'data'))
  cleanUp.after(async () => {
    if (service.child.exitCode === null) await service.signal('SIGTERM')
  })
  await service.ready()
  const { base_url: baseUrl, api_key: key, mqtt_url: mqttUrl } = service.credentials()
  const post = (nth: number) => call(baseUrl, 'POST', '/api/external/telemetry/batch', { key, body: batch(nth) })
  const isReady = async () => (await call(baseUrl, 'GET', '/readyz')).status === 200
  const device = await connectDevice(cleanUp, { baseUrl, key, mqttUrl })
  assert.equal((await untilTaken(() => post(0))).status, 200)
  // Where a busy machine has it come back, the client has kept it.
  await device.publish(0)
  await device.untilAcknowledged(0)
  await until('the service is ready', isReady)
  const filler = join(disk, 'filler')
  fill(filler)

  let nth = 1
  while ((await post(nth)).status === 200) assert.ok(++nth < 200, 'the disk is full')
  for (let i = 0; i < 10; i++) {
    const { status, headers } = await post(nth)
    assert.equal(status, 503)
    assert.ok(Number(headers.get('retry-after')) >= 1)
  }
  let waitingNth = 1
  while ((await device.publish(waitingNth)) === 'acknowledged') assert.ok(++waitingNth < 200, 'the disk is full for a device too')
  assert.ok(!(await isReady()))
  const stacks = service.stdout.split('\n').filter((line) => line.includes('"stack"') && line.includes('No space left'))
  assert.ok(stacks.length <= 1, stacks.join('\n').slice(0, 4_000))
  // What the service has printed may come behind its answers.
  await untilPrinted(service, /the database cannot write/)
  assert.equal(service.stdout.match(/the database cannot write/g)?.length, 1)

  rmSync(filler)
  await until('the service is ready again', isReady)
  assert.equal((await untilTaken(() => post(nth))).status, 200)
  await untilPrinted(service, /the database writes again/)
  // The client has kept it, and sends it until it is acknowledged.
  await device.untilAcknowledged(waitingNth)
  assert.deepEqual(await device.storedNths(), [...Array(waitingNth + 1).keys()])
})
