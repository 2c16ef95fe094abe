// The adapters of connections, one for each while its revision stands: it keeps the token that the platform gave it.

import { atMostEntries } from '@roadworthy/service-kit/pacing/at-most-entries'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import { LRUCache } from 'lru-cache'
import { type OperatorConnection as OpenableConnection, type OperatorDeps, openOperator } from '../operators/open-operator.ts'
import type { SimOperator } from '../operators/operator.ts'
import type { SealedConnection } from './connection.ts'
import { openCredentials } from './operator-secrets.ts'

export type OperatorPool = {
  /** Sends nothing yet. Throws `OperatorError` of a connection that cannot be used. */
  of(connection: SealedConnection): SimOperator
}

/** Assumption: no more accounts than this are at work in one process at a time. The one that was asked for longest ago is forgotten. */
const MAX_OPERATORS = 500

export function createOperatorPool({ sealer, ...deps }: OperatorDeps & { readonly sealer: Sealer }): OperatorPool {
  const opened = new LRUCache<string, { revision: string; operator: SimOperator }>(atMostEntries(MAX_OPERATORS))
  return {
    of: (connection) => {
      const key = `${connection.resellerId} ${connection.connectionId}`
      const { revision, operator, baseUrl, settings } = connection
      const known = opened.get(key)
      // Which settings and secrets it has was checked when it was stored, and is checked again when it is opened.
      const openable = () =>
        ({ operator, baseUrl, settings, secrets: openCredentials(sealer, connection) }) as unknown as OpenableConnection
      const current = known?.revision === revision ? known : { revision, operator: openOperator(openable(), deps) }
      if (current !== known) opened.set(key, current)
      return current.operator
    },
  }
}
