// How many connections to PostgreSQL a process opens at most, by its roles.

import type { Role } from '../roles.ts'

export type PoolSize = { readonly appConnections: number; readonly systemConnections: number }

export type Connections = {
  readonly work: PoolSize
  /** Who calls: keys, devices and people, and the counting of calls. Whatever the work behind it waits for, this does not wait with it. */
  readonly signIn: PoolSize
  /** What anybody may ask: brands, logos, calendars. However many ask, they take these connections and no more. */
  readonly public: PoolSize
  /** Of the process that reads streams, while there is one. */
  readonly stream: PoolSize
  /** All of them together, with the one that listens. */
  readonly total: number
}

const size = (appConnections: number, systemConnections: number): PoolSize => ({ appConnections, systemConnections })
const NONE = size(0, 0)
const LISTENING = 1

/**
 * `receivers`: two commits at once, and what they look up. `api`: a request on each core, and some for pages. `worker`: scoring, webhooks and jobs.
 * Together they are half of what the embedded PostgreSQL takes.
 */
const WORK: Readonly<Record<Role, PoolSize>> = { api: size(6, 2), receivers: size(4, 2), worker: size(2, 2) }
/** Nobody signs in to a worker. */
const SIGN_IN: Readonly<Record<Role, PoolSize>> = { api: size(1, 3), receivers: size(1, 3), worker: NONE }
/** A worker shows nothing to anybody. */
const PUBLIC: Readonly<Record<Role, PoolSize>> = { api: size(2, 2), receivers: NONE, worker: NONE }
/** One reading commits for all its tenants together. */
const STREAM: Readonly<Record<Role, PoolSize>> = { api: NONE, receivers: size(4, 2), worker: NONE }
/** The least with which a transaction of each kind goes on while another waits. */
const LEAST = 2

export type ConnectionSettings = {
  readonly databaseConnections?: number | undefined
  readonly signInConnections?: number | undefined
}

/** What is not set follows from the roles. */
export function connectionsOf(roles: ReadonlySet<Role>, { databaseConnections, signInConnections }: ConnectionSettings): Connections {
  const work = divided(sumOf(WORK, roles), databaseConnections)
  const signIn = divided(sumOf(SIGN_IN, roles), signInConnections)
  const [open, stream] = [sumOf(PUBLIC, roles), sumOf(STREAM, roles)]
  const total = [work, signIn, open, stream].reduce((sum, pool) => sum + countOf(pool), LISTENING)
  return { work, signIn, public: open, stream, total }
}

function sumOf(sizes: Readonly<Record<Role, PoolSize>>, roles: ReadonlySet<Role>): PoolSize {
  return [...roles].reduce((sum, role) => {
    const { appConnections, systemConnections } = sizes[role]
    return size(sum.appConnections + appConnections, sum.systemConnections + systemConnections)
  }, NONE)
}

/** As many as are wanted, in the proportion of the default. */
function divided(preset: PoolSize, wanted: number | undefined): PoolSize {
  const presetCount = countOf(preset)
  if (wanted === undefined || presetCount === 0) return preset
  const forApp = Math.round((wanted * preset.appConnections) / presetCount)
  const appConnections = Math.min(Math.max(forApp, LEAST), wanted - LEAST)
  return size(appConnections, wanted - appConnections)
}

function countOf({ appConnections, systemConnections }: PoolSize): number {
  return appConnections + systemConnections
}
