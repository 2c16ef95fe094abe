import type { onRequestHookHandler } from 'fastify'

export type SurfaceName = 'external' | 'platform-v1'

/** What the surfaces and the slices are handed of this slice. Made once per process by `createAccess`. */
export type Access = {
  /**
   * The `onRequest` hook of one surface: finds the key, sets `request.caller`, then checks standing, limits and scope, in this order.
   * Routes with `config.public` and unknown routes pass. Costs no promise while the key is in memory.
   */
  gate(surface: SurfaceName): onRequestHookHandler
  /** Takes up to `count` predictions from the reseller's monthly quota and returns how many were granted; all of them without a quota. */
  consumePredictionQuota(resellerId: string, count: number): Promise<number>
  /** Writes what is counted in memory. Also happens each second. */
  flush(): Promise<void>
  close(): Promise<void>
}
