// Connections to brokers that a stranger names. A cluster's answers name more brokers than were given, so what is judged is every address
// that is about to be connected to, not the list that the stranger wrote.
import type { LookupFunction } from 'node:net'
import { type Broker, type Connection, type ConnectionPool, NetworkError } from '@platformatic/kafka'
import { type Address, type AddressGuard, ForbiddenTargetError } from '@roadworthy/service-kit/network/address-guard'

const RESOLVE_MS = 4_000

/**
 * From here on the pool connects to judged addresses only. Without TLS to the very address, since the client takes no `lookup`; with TLS by
 * the name, for the certificate, and `guardedLookup` answers with judged addresses.
 */
export function guardConnections(pool: ConnectionPool, guard: AddressGuard, hasTls: boolean): void {
  const connect = pool.get.bind(pool) as (broker: Broker) => Promise<Connection>
  const connected = new Map<string, Broker>()
  const get = async (broker: Broker | undefined): Promise<Connection> => {
    // What the cluster does not know at the moment: the client has an error of its own for it.
    if (broker?.host === undefined) return await connect(broker as unknown as Broker)
    const name = `${broker.host}:${broker.port}`
    const known = connected.get(name)
    if (known !== undefined && pool.getEstablishedConnection(known)?.isConnected() === true) return await connect(known)
    const addresses = await judge(guard, broker.host)
    const candidates = hasTls ? [broker] : addresses.map(({ address }) => ({ ...broker, host: address }))
    return await firstOf(candidates, async (candidate) => {
      const connection = await connect(candidate)
      connected.set(name, candidate)
      return connection
    })
  }
  const getWithCallback = (broker: Broker, callback?: (error: Error | null, connection?: Connection) => void) => {
    const getting = get(broker)
    if (callback === undefined) return getting
    // In a turn of its own: what it throws is not this promise's.
    getting.then(
      (connection) => process.nextTick(callback, null, connection),
      (error: Error) => process.nextTick(callback, error),
    )
    return undefined
  }
  pool.get = getWithCallback as ConnectionPool['get']
}

/** For sockets that are given a name: it answers with judged addresses only. Not asked for a literal address. */
export function guardedLookup(guard: AddressGuard): LookupFunction {
  return (hostname, { all }, callback) => {
    judge(guard, hostname).then(
      (addresses) => {
        if (all === true) callback(null, [...addresses])
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

/** What may not be connected to is not tried again. */
async function judge(guard: AddressGuard, hostname: string): Promise<readonly Address[]> {
  try {
    return (await guard(hostname, AbortSignal.timeout(RESOLVE_MS))).addresses
  } catch (error) {
    const { message } = error as Error
    throw new NetworkError(message, { cause: error as Error, canRetry: !(error instanceof ForbiddenTargetError) })
  }
}

async function firstOf<T, R>(candidates: readonly T[], attempt: (candidate: T) => Promise<R>): Promise<R> {
  let failure: unknown
  for (const candidate of candidates) {
    try {
      return await attempt(candidate)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
