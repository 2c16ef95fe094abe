// How a table of the client's methods is written. Every operation of a document has a method, and every method an operation:
// `client-sources.ts` refuses anything else.

/** `'GET /devices'`, below the prefix of the surface; or with what its document does not say. */
export type MethodEntry = {
  readonly route: string
  /** The array whose items the list iterates over, where the answer has several. */
  readonly items?: string
  /** The array of the body that is split into parts of the size that the API takes. */
  readonly batchOf?: string
  /** How long its body may be; 1 MiB when it is left out. */
  readonly maxBodyMib?: number
  /** What a line of an NDJSON answer, or a message of a stream of events, holds: a type of `published-types.ts`. */
  readonly each?: 'Position' | 'StreamMessage'
}
export type MethodTable = { readonly [name: string]: string | MethodEntry | MethodTable }

export type SurfaceMethods = {
  /** Prefix of every path of the table. */
  readonly prefix: string
  readonly methods: MethodTable
}

export const isEntry = (node: string | MethodEntry | MethodTable): node is string | MethodEntry =>
  typeof node === 'string' || typeof node['route'] === 'string'
