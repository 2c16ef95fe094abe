// A stream of messages, compressed. Messages about a moving vehicle repeat most of their text: for a fleet of 24, a tenth of the bytes remains.
// No message holds a secret, so that its length betrays none (BREACH; see compact-answers.ts of the service kit).

import { pipeline, type Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'

/**
 * Each message leaves at once: what is flushed can be read by itself. The window and the table take 96 KiB of a connection, in place of 256 (zlib.h,
 * deflateInit2), and reach back over some thirty vehicles.
 */
const OPTIONS = { flush: constants.Z_SYNC_FLUSH, level: 4, windowBits: 14, memLevel: 6 }

/** Ends with its source, and ends that where its reader leaves. */
export function compressStream(source: Readable): Readable {
  // The reader of the stream gets its errors; nothing else has to handle them.
  return pipeline(source, createGzip(OPTIONS), () => undefined)
}
