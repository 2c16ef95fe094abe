import { existsSync, statfsSync } from 'node:fs'
import { findServerFolder } from '@roadworthy/platform/main/database/upgrade-facts.sql'
import { isLoopback } from '@roadworthy/service-kit/network/loopback'
import type { Db } from '@roadworthy/service-kit/postgres/db'

export type ServerDisk = { readonly folder: string; readonly freeBytes: number }

/** Where the server keeps its files. Undefined: on another machine, or where this account may not know. */
export async function findServerDisk(client: Db, ownerUrl: string): Promise<ServerDisk | undefined> {
  const folder = await findServerFolder(client)
  if (!isLoopback(new URL(ownerUrl).hostname) || folder === undefined || !existsSync(folder)) return undefined
  const { bavail, bsize } = statfsSync(folder)
  return { folder, freeBytes: bavail * bsize }
}
