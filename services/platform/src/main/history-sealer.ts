// The process that seals: started when there is something to do, and over when it is done. What it needs of memory ends with it, and it may be killed at any
// moment (ADR 0038).

import { onParentExit } from '@roadworthy/service-kit/process/exit-with-parent'
import { expireFiles } from '../history/expire-files.ts'
import { type SealedWeek, sealWeeks } from '../history/seal-weeks.ts'
import { withSealingSession } from '../history/sealing-session.ts'
import type { SealerTask, SealerWord } from './history.ts'

const stopping = new AbortController()
onParentExit(() => process.exit(0))
process.once('SIGTERM', () => stopping.abort())
process.once('message', (task: SealerTask) => {
  run(task).then(
    (sealed) => send(sealed === undefined ? { kind: 'busy' } : { kind: 'done', sealed }),
    // DuckDB adds the statement, which has all columns.
    (error: Error) => send({ kind: 'failed', reason: error.message.split('\n')[0] ?? '', stack: error.stack }),
  )
})

function send(word: SealerWord): void {
  process.send?.(word, () => process.exit(0))
}

async function run({ urls, place, weeks, at, retentionDays }: SealerTask): Promise<SealedWeek[] | undefined> {
  return await withSealingSession(urls, place, async (deps) => {
    const toSeal = weeks.map(({ partition, from, to }) => ({ partition, from: new Date(from), to: new Date(to) }))
    const done = await sealWeeks(deps, toSeal, stopping.signal)
    await expireFiles(deps, new Date(at), retentionDays)
    return done
  })
}
