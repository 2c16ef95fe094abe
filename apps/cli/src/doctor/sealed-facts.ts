// Of the sealed files of the history: the oldest and the newest, by which the place that the settings name is judged.

import { connect, dbOf } from '@roadworthy/platform/backup/snapshot.sql'
import { type SealedExtremes, selectSealedExtremesAcrossResellers } from '@roadworthy/platform/history/sealed-files.sql'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'

/** Undefined: nothing is sealed, or the database cannot be asked, which `checkDatabase` reports. */
export async function findSealed(ownerUrl: string | undefined, secretKey: string | undefined): Promise<SealedExtremes | undefined> {
  if (ownerUrl === undefined || secretKey === undefined) return undefined
  // The owner of a PostgreSQL of one's own sees no rows of resellers.
  const client = await connect(databaseUrls(ownerUrl, secretKey).direct.system).catch(() => undefined)
  if (client === undefined) return undefined
  try {
    return await selectSealedExtremesAcrossResellers(dbOf(client))
  } catch {
    // The database has no schema yet, or one of before there was a history.
    return undefined
  } finally {
    await client.end()
  }
}
