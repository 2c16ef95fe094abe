// For tests only, a process of its own: sends the messages that are due, and stops dead at one of its steps, so that whoever started it can kill it there.

import { openDatabase } from '@roadworthy/service-kit/postgres/db'
import { runDueJobs } from '../jobs/job-worker.ts'
import { loadAdviceBases } from '../maintenance/advice-bases.ts'
import { stopAt } from '../test-steps.ts'
import { TEST_SECRET_KEY } from '../test-support.ts'
import { createAcknowledgeLinks } from './acknowledgements/acknowledge-link.ts'
import { notificationJobs } from './notify-of-incident.ts'
import { loopbackExits, postTo } from './test-loopback-exits.ts'

export type NotificationProcessTask = {
  readonly urls: { readonly app: string; readonly system: string }
  readonly mailUrl: string
  readonly at: string
  readonly stopAtStep: number
  /** `posts`: only calls of receivers are steps. */
  readonly steps: 'all' | 'posts'
}

const { urls, mailUrl, at, stopAtStep, steps } = JSON.parse(process.argv[2] ?? '') as NotificationProcessTask
const { stepped, end } = stopAt(stopAtStep)
const now = async () => new Date(at)
const log = { error: () => undefined }
const opened = openDatabase(urls, { appConnections: 2, systemConnections: 2, acquireTimeoutMs: 60_000, onError: () => undefined })
const links = createAcknowledgeLinks(TEST_SECRET_KEY)
const notices = postTo(mailUrl)
const sending = { notices: steps === 'all' ? stepped(notices, 'notices') : notices, exits: stepped(loopbackExits(), 'exits') }
const database = steps === 'all' ? stepped(opened, 'database', ['tenantPool']) : opened
const deps = { database, ...sending, loadAdviceBases, links, now }
// The worker's own statements are those of every job, and tested there.
await runDueJobs({ database: opened, now, random: () => 0.5, log }, notificationJobs(deps))
await opened.close()
end()
