// Goal: a full disk loses nothing and says so, once; a disk that is too small is refused before anything is begun. Method: real small disks, as
// tmpfs, which takes root to mount.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CleanUp } from '@roadworthy/service-kit/test-database'
import { lastFirst } from '../../services/platform/src/surfaces/test-api.ts'
import { RunningService } from '../e2e/running-service.ts'
import { call } from '../support/running-platform.ts'

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

test('a first start on a disk that is too small ends with one sentence', async (t) => {
  const disk = smallDisk(t, 64)
  if (disk === undefined) return
  const service = new RunningService(join(disk, 'data'))
  assert.equal(await service.exit(), 1)
  assert.match(service.stderr, /^DATA_DIR .* is on a disk with 6\d MiB free, and a first start needs 256 MiB\..*\n$/)
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
  const { base_url: baseUrl, api_key: key } = service.credentials()
  const post = (nth: number) => call(baseUrl, 'POST', '/api/external/telemetry/batch', { key, body: batch(nth) })
  const isReady = async () => (await call(baseUrl, 'GET', '/readyz')).status === 200
  assert.equal((await post(0)).status, 200)
  assert.ok(await isReady())
  const filler = join(disk, 'filler')
  fill(filler)

  let nth = 1
  while ((await post(nth)).status === 200) assert.ok(++nth < 200, 'the disk is full')
  for (let i = 0; i < 10; i++) {
    const { status, headers } = await post(nth)
    assert.equal(status, 503)
    assert.ok(Number(headers.get('retry-after')) >= 1)
  }
  assert.ok(!(await isReady()))
  const stacks = service.stdout.split('\n').filter((line) => line.includes('"stack"') && line.includes('No space left'))
  assert.ok(stacks.length <= 1, stacks.join('\n').slice(0, 4_000))
  assert.equal(service.stdout.match(/the database cannot write/g)?.length, 1)

  rmSync(filler)
  while (!(await isReady())) await sleep(100)
  assert.equal((await post(nth)).status, 200)
  assert.match(service.stdout, /the database writes again/)
})
