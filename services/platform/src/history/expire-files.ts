// Takes out of sealed files what is past its time. A file goes, or is written anew without a sub-client's readings, once all of them are, so at most once for
// each term that its reseller has.

import { selectExpiredFilesAcrossResellers } from './retention.sql.ts'
import { countOf, rewriteFile } from './rewrite-files.ts'
import { removeUnfinished, type SealingDeps } from './seal-weeks.ts'
import { selectLiveFiles } from './sealed-files.sql.ts'

/**
 * Answers read from files of before end first; those are deleted in a later round. A file that cannot be written anew keeps no other from it; the first such failure is
 * thrown at the end.
 */
export async function expireFiles(deps: SealingDeps, at: Date, presetDays: number): Promise<void> {
  await removeUnfinished(deps)
  const failures: unknown[] = []
  const expired = await selectExpiredFilesAcrossResellers(deps.database.systemPool, at, presetDays)
  for (const [resellerId, ofReseller] of Map.groupBy(expired, (each) => each.resellerId)) {
    const files = new Map((await selectLiveFiles(deps.database.systemPool, resellerId)).map((file) => [file.fileId, file]))
    for (const { fileId, subClientIds } of ofReseller) {
      const file = files.get(fileId)
      if (file === undefined) continue
      const isExpired = ({ subClientId }: { readonly subClientId: string | null }) => subClientIds.includes(subClientId ?? '')
      try {
        const isWhole = file.subClientIds.length === subClientIds.length
        await rewriteFile(deps, file, isExpired, isWhole ? 0 : await countOf(deps, file, (each) => !isExpired(each)))
      } catch (error) {
        failures.push(error)
      }
    }
  }
  if (failures.length > 0) throw failures[0]
}
