/** Of one call. What is left out is as of the client. */
export type RequestOptions = {
  /** Ends the call at once, also while it waits for a repeat. The call rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take, the reading of its answer included. */
  readonly timeoutMs?: number | undefined
  readonly maxRetries?: number | undefined
  /** Sent along. The key cannot be set here. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type WriteOptions = RequestOptions & {
  /**
   * By this the service knows a repeat of the same call, for 24 hours: 1 to 255 printable ASCII characters. Left out, each call gets a
   * key of its own, which its repeats share. Give one of your own where a repeat may come from another process.
   */
  readonly idempotencyKey?: string | undefined
}

/** The bytes of a file. Of a `Blob` the type is sent as `Content-Type`; with anything else set that header. A stream is sent once and never repeated; browsers send one over HTTP/2 only. */
export type BinaryBody = Blob | Uint8Array | ReadableStream<Uint8Array>
