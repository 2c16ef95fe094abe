import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { openNotifications } from './notifications.ts'
import { createTestDatabase } from './test-database.ts'

const { url } = await createTestDatabase({ after })

async function run(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** A listener that keeps what it is notified of, and waits for it. */
function recorder() {
  const heard: string[] = []
  let wake = () => {}
  const add = (what: string) => {
    heard.push(what)
    wake()
  }
  const until = async (isDone: (heard: readonly string[]) => boolean) => {
    // Reconnecting keeps no process alive, so waiting for it must.
    const alive = setInterval(() => {}, 1_000)
    while (!isDone(heard)) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    clearInterval(alive)
  }
  return { heard, until, onMessage: add, onGap: () => add('gap') }
}

test('each listener hears its own channel, and nothing after it stopped', async () => {
  const notifications = openNotifications({ connectionString: url, onError: () => {} })
  const first = recorder()
  const second = recorder()
  const stop = notifications.on('first', first.onMessage, first.onGap)
  await notifications.whenListening()
  notifications.on('second', second.onMessage, second.onGap)
  await notifications.whenListening()
  await run("notify first, 'one'; notify second, 'two'; notify third, 'three'")
  await second.until((heard) => heard.includes('two'))
  stop()
  await run("notify first, 'four'; notify second, 'five'")
  await second.until((heard) => heard.includes('five'))
  assert.deepEqual(
    [first.heard, second.heard],
    [
      ['gap', 'one'],
      ['gap', 'two', 'five'],
    ],
  )
  await notifications.close()
})

test('a cut connection comes back by itself, and reports the gap before anything else', async () => {
  const errors: string[] = []
  const notifications = openNotifications({ connectionString: url, onError: (error) => errors.push(error.message) })
  const listener = recorder()
  notifications.on('things', listener.onMessage, listener.onGap)
  await notifications.whenListening()
  for (let round = 1; round <= 2; round++) {
    await run(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'roadworthy-listen' and datname = current_database()",
    )
    await listener.until((heard) => heard.filter((each) => each === 'gap').length === round + 1)
    await run(`notify things, 'round ${round}'`)
    await listener.until((heard) => heard.at(-1) === `round ${round}`)
  }
  assert.deepEqual(listener.heard, ['gap', 'gap', 'round 1', 'gap', 'round 2'])
  assert.equal(errors.length >= 2, true)
  await notifications.close()
})

test('closing while the database is away ends the attempts, and a name that is no channel is refused', async () => {
  const away = new URL(url)
  away.port = '1'
  let failures = 0
  let failed = () => {}
  const once = new Promise<void>((resolve) => {
    failed = resolve
  })
  const notifications = openNotifications({
    connectionString: away.href,
    onError: () => {
      failures++
      failed()
    },
  })
  assert.throws(
    () =>
      notifications.on(
        'things; drop table t',
        () => {},
        () => {},
      ),
    /not a channel name/,
  )
  notifications.on(
    'things',
    () => {},
    () => {},
  )
  const waiting = notifications.whenListening()
  await once
  await notifications.close()
  await waiting
  assert.equal(failures >= 1, true)
})

test('channels that are asked for at once, over a connection that stands, are listened to one statement at a time', async (t) => {
  const warnings: string[] = []
  const note = ({ message }: Error) => void warnings.push(message)
  process.on('warning', note)
  t.after(() => void process.off('warning', note))
  const notifications = openNotifications({ connectionString: url, onError: () => {} })
  notifications.on(
    'before',
    () => {},
    () => {},
  )
  await notifications.whenListening()
  const all = recorder()
  for (const channel of ['one', 'two', 'three']) notifications.on(channel, all.onMessage, () => {})
  await notifications.whenListening()
  await run("notify one, 'a'; notify two, 'b'; notify three, 'c'")
  await all.until((heard) => heard.length === 3)
  await notifications.close()
  assert.deepEqual([all.heard, warnings], [['a', 'b', 'c'], []])
})
