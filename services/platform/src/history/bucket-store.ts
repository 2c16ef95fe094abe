// Sealed files in a bucket of an S3-compatible store, by the client of the AWS SDK, an optional dependency. DuckDB reads local files only, so what is read is
// downloaded into a folder, which is bounded and may be emptied at any time.

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type FileStore, sha256OfFile } from './file-store.ts'
import { openStagingFolder } from './staging-folder.ts'

export type Bucket = {
  readonly name: string
  /** Undefined: that of AWS for the region. */
  readonly url: string | undefined
  readonly region: string
  /** Undefined: what the environment of the process gives, such as the role of a machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

type BucketStoreOptions = {
  readonly bucket: Bucket
  /** On a local disk, for this process or for several of one machine. */
  readonly folder: string
  readonly maxCacheBytes: number
  /** For tests of a bucket that goes silent. */
  readonly silenceMs?: number
}

const CONNECT_TIMEOUT_MS = 5_000
/** For so long nothing comes or goes on a connection. A large file may take longer than any time for a whole request. Assumption: a store answers a put within it. */
const SILENCE_MS = 15_000
const ATTEMPTS = 4
/** Of one answer; the rest follow. */
const MAX_DOWNLOADS = 4
/** What was asked for so lately may be about to be read. */
const IN_USE_MS = 120_000

/** What fails is thrown. Without a logger the client prints a line of its own beside it, which is no JSON. */
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

const CACHE = 'downloaded'
const STAGING = '.staging'

export async function openBucketStore(options: BucketStoreOptions): Promise<FileStore & { close(): void }> {
  const { bucket, folder, maxCacheBytes, silenceMs = SILENCE_MS } = options
  const sdk = await loadClient()
  const { PutObjectCommand, GetObjectCommand, DeleteObjectCommand } = sdk
  const client = createClient(sdk, bucket, silenceMs)
  const stagingFolder = await openStagingFolder(path.join(folder, STAGING))
  const cacheFolder = path.join(folder, CACHE)
  const at = (storedPath: string) => ({ Bucket: bucket.name, Key: storedPath })
  const download = async (storedPath: string, file: string) => {
    const { Body } = await client.send(new GetObjectCommand(at(storedPath)))
    await mkdir(path.dirname(file), { recursive: true })
    await pipeline(Body as Readable, createWriteStream(file))
  }
  const slots = new Slots(MAX_DOWNLOADS)
  const underWay = new Map<string, Promise<string>>()
  const local = async (file: { path: string; bytes: number; sha256: string }) => {
    const cached = path.join(cacheFolder, `${file.sha256}.parquet`)
    if (await touch(cached, file.bytes)) return cached
    return await slots.run(async () => {
      const part = path.join(stagingFolder, `${newId('srf')}.part`)
      try {
        await download(file.path, part)
        if ((await sha256OfFile(part)).sha256 !== file.sha256) throw new Error(`the bucket's ${file.path} is not what was stored there`)
        await mkdir(cacheFolder, { recursive: true })
        await rename(part, cached)
      } finally {
        await rm(part, { force: true })
      }
      await evict(cacheFolder, maxCacheBytes)
      return cached
    })
  }
  return {
    stagingFolder,
    put: async (stagedFile, storedPath) => {
      const { size } = await stat(stagedFile)
      await client.send(new PutObjectCommand({ ...at(storedPath), Body: createReadStream(stagedFile), ContentLength: size }))
      await rm(stagedFile)
    },
    fetch: async (storedPath) => {
      const file = path.join(stagingFolder, `${newId('srf')}.read-back`)
      try {
        await download(storedPath, file)
      } catch (error) {
        await rm(file, { force: true })
        throw error
      }
      return file
    },
    local: (file) => {
      const known = underWay.get(file.sha256)
      if (known !== undefined) return known
      const getting = local(file).finally(() => underWay.delete(file.sha256))
      underWay.set(file.sha256, getting)
      return getting
    },
    remove: async (storedPath) => void (await client.send(new DeleteObjectCommand(at(storedPath)))),
    close: () => client.destroy(),
  }
}

function createClient({ S3Client }: Awaited<ReturnType<typeof loadClient>>, bucket: Bucket, silenceMs: number): S3Client {
  const client = new S3Client({
    region: bucket.region,
    maxAttempts: ATTEMPTS,
    // Others than AWS have one host name for all buckets.
    ...(bucket.url === undefined ? {} : { endpoint: bucket.url, forcePathStyle: true }),
    ...(bucket.credentials === undefined ? {} : { credentials: { ...bucket.credentials } }),
    logger: SILENT,
    // Its requestTimeout only writes a warning.
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: silenceMs },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) =>
        await next(args).catch((error) => nameRequest(error, bucket, commandName, args.input)),
    { step: 'initialize' },
  )
  return client
}

/** The client reports neither what it asked for nor whom. Where the answer is not S3's own, as from a proxy, it is that XML could not be parsed, or `UnknownError`. */
function nameRequest(error: unknown, { name, url }: Bucket, command = '', input: object = {}): never {
  const failure = error as Error & { $metadata?: { httpStatusCode?: number }; $response?: { statusCode?: number } }
  const status = failure.$response?.statusCode ?? failure.$metadata?.httpStatusCode
  const place = `the bucket ${name}${url === undefined ? '' : ` at ${new URL(url).host}`}${status === undefined ? '' : ` answered with HTTP ${status}`}`
  failure.message = `${failure.message.split('\n')[0]} (${place}; ${command.replace(/Command$/, '')} of ${'Key' in input ? input.Key : 'the bucket'})`
  throw failure
}

async function loadClient() {
  try {
    return await import('@aws-sdk/client-s3')
  } catch (cause) {
    throw new Error('HISTORY_S3_BUCKET is set, and @aws-sdk/client-s3, an optional dependency, is not installed', { cause })
  }
}

/** Whether the file is there whole. Marks it as used. */
async function touch(file: string, bytes: number): Promise<boolean> {
  try {
    if ((await stat(file)).size !== bytes) return false
    const now = new Date()
    await utimes(file, now, now)
    return true
  } catch {
    // It is not there.
    return false
  }
}

/** Removes what was not used for longest. */
async function evict(folder: string, maxBytes: number): Promise<void> {
  const files: { file: string; bytes: number; usedMs: number }[] = []
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name)
    const found = await stat(file).catch(() => undefined)
    if (found !== undefined) files.push({ file, bytes: found.size, usedMs: found.mtimeMs })
  }
  let bytes = files.reduce((sum, each) => sum + each.bytes, 0)
  const newest = Math.max(...files.map(({ usedMs }) => usedMs))
  for (const each of files.sort((a, b) => a.usedMs - b.usedMs)) {
    if (bytes <= maxBytes || each.usedMs > newest - IN_USE_MS) return
    await rm(each.file, { force: true })
    bytes -= each.bytes
  }
}

/** So many at once; the others wait. */
class Slots {
  #freeCount: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#freeCount = count
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#freeCount > 0) this.#freeCount--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#freeCount++
      else next()
    }
  }
}
