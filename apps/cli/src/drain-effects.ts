import { applyAllEffects } from '@roadworthy/platform/ingest/apply-effects'
import { databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { CommandFailure } from './failure.ts'

/** Does what waits in `reading_effects` of a Citus cluster, as a worker of the service would. */
export async function drainEffects(ownerUrl: string, secretKey: string | undefined): Promise<void> {
  if (secretKey === undefined)
    throw new CommandFailure('The secret key is not known here: set SECRET_KEY to the one that the service runs with.')
  const urls = databaseUrls(ownerUrl, secretKey)
  const database = openDatabase(urls, { appConnections: 1, systemConnections: 1, onError: () => {} })
  await applyAllEffects(database).finally(() => database.close())
}
