// Readings of weeks that are sealed, kept by PostgreSQL in the order in which files are written, in a table of one session that is gone with it.

import pg from 'pg'
import type { StoredReading } from '../readings/stored-reading.ts'

export type SealedPart = { readonly weekFrom: Date; readonly month: string }
export type Staged = SealedPart & { readonly reading: StoredReading }

const PAGE_ROWS = 2_000
/** A page is read by the key, and a batch is written whole. */
const STATEMENT_TIMEOUT_MS = 120_000

export class StagedReadings {
  readonly #client: pg.Client

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async open(systemUrl: string): Promise<StagedReadings> {
    const client = new pg.Client({
      ...{ connectionString: systemUrl, connectionTimeoutMillis: 10_000, keepAlive: true, application_name: 'roadworthy-import' },
    })
    // The statement under way is rejected as well.
    client.on('error', () => undefined)
    await client.connect()
    await client.query(`set statement_timeout = ${STATEMENT_TIMEOUT_MS}`)
    // Ids and digests are compared byte by byte, as those who merge the stream with a file compare them.
    await client.query(
      `create temporary table staged (part text collate "C" not null, source_id text collate "C" not null, recorded_us bigint not null,
                                      digest text collate "C" not null, reading text not null, primary key (part, source_id, recorded_us, digest))`,
    )
    return new StagedReadings(client)
  }

  /** One that is there already stays. */
  async add(staged: readonly Staged[]): Promise<void> {
    await this.#client.query(
      `insert into staged select * from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[]) on conflict do nothing`,
      [
        staged.map(keyOf),
        staged.map(({ reading }) => reading.sourceId),
        staged.map(({ reading }) => String(reading.recordedAtUs)),
        staged.map(({ reading }) => reading.digestHex),
        staged.map(({ reading: { recordedAtUs, receivedAtUs, ...rest } }) =>
          JSON.stringify({ ...rest, recordedAtUs: String(recordedAtUs), receivedAtUs: String(receivedAtUs) }),
        ),
      ],
    )
  }

  async parts(): Promise<SealedPart[]> {
    const { rows } = await this.#client.query<{ part: string }>('select distinct part from staged order by part')
    return rows.map(({ part }) => {
      const [week = '', month = ''] = part.split(' ')
      return { weekFrom: new Date(`${week}T00:00:00.000Z`), month }
    })
  }

  /** Sorted by source, time and digest. */
  async *readings(part: SealedPart): AsyncGenerator<StoredReading[], void> {
    let after: StoredReading | undefined
    do {
      const { rows } = await this.#client.query<{ reading: string }>(
        `select reading from staged
          where part = $1 and (source_id, recorded_us, digest) > ($2, $3::bigint, $4)
          order by source_id, recorded_us, digest limit ${PAGE_ROWS}`,
        [keyOf(part), after?.sourceId ?? '', String(after?.recordedAtUs ?? 0), after?.digestHex ?? ''],
      )
      const readings = rows.map(({ reading }) => fromLine(reading))
      if (readings.length > 0) yield readings
      after = readings.length === PAGE_ROWS ? readings.at(-1) : undefined
    } while (after !== undefined)
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined)
  }
}

function keyOf({ weekFrom, month }: SealedPart): string {
  return `${weekFrom.toISOString().slice(0, 10)} ${month}`
}

function fromLine(line: string): StoredReading {
  const { recordedAtUs, receivedAtUs, ...rest } = JSON.parse(line) as StoredReading & { recordedAtUs: string; receivedAtUs: string }
  return { ...rest, recordedAtUs: BigInt(recordedAtUs), receivedAtUs: BigInt(receivedAtUs) }
}
