// Reads Traccar's own PostgreSQL. Nothing is written there; positions are read in the order of their numbers, page by page, so that no snapshot is held.

import pg from 'pg'
import { BackfillProblem, type PastPart, type PastSource } from './past-source.ts'
import { requireZone } from './times-of-zone.ts'
import { TraccarDevices } from './traccar-devices.ts'
import { fromPosition, type PositionColumn, type PositionRow, positionColumns, REQUIRED_POSITION_COLUMNS } from './traccar-position.ts'

const PAGE_ROWS = 2_000
const CONNECT_TIMEOUT_MS = 10_000
const STATEMENT_TIMEOUT_MS = 120_000
/** Of one text of a row. What is longer comes cut, and is refused for it. */
const MAX_TEXT_CHARACTERS = 65_537
const TIME_COLUMNS: ReadonlySet<string> = new Set(['servertime', 'devicetime', 'fixtime'])

/** `timeZone`: that of the JVM that Traccar runs in, whose local times its columns hold where they have no zone. */
export async function openTraccarDatabase(url: string, timeZone: string): Promise<PastSource> {
  requireZone(timeZone)
  const client = new pg.Client({
    ...{ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, statement_timeout: STATEMENT_TIMEOUT_MS },
    ...{ application_name: 'roadworthy-import', keepAlive: true },
  })
  // The statement under way is rejected as well.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(
      `set session characteristics as transaction read only; set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set extra_float_digits = 1`,
    )
    const types = await selectColumnTypes(client)
    const devices = await selectDevices(client)
    const span = await selectSpan(client)
    return {
      ...devices.asSource(shownUrl(url)),
      read: () => readPositions(client, { devices, statement: pageStatement(types, timeZone), ...span }),
      close: () => client.end(),
    }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw explained(error)
  }
}

function shownUrl(url: string): string {
  const { host, pathname } = new URL(url)
  return `Traccar's database ${host}${pathname}`
}

async function selectColumnTypes(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select a.attname as name, format_type(a.atttypid, null) as type
       from pg_attribute a where a.attrelid = to_regclass('tc_positions') and a.attnum > 0 and not a.attisdropped`,
  )
  const types = new Map(rows.map(({ name, type }) => [name, type]))
  const missing = REQUIRED_POSITION_COLUMNS.filter((name) => !types.has(name))
  if (missing.length === 0) return types
  const what = types.size === 0 ? 'There is no table tc_positions' : `tc_positions has no column ${missing.join(', ')}`
  throw new BackfillProblem(`${what}: this is no database of Traccar 4.0 or newer, or its tables are not in the search path of this user.`)
}

async function selectDevices(client: pg.Client): Promise<TraccarDevices> {
  const devices = new TraccarDevices()
  for (let after = '-1'; ; ) {
    const { rows } = await client.query<{ id: string; uniqueid: string; name: string }>(
      `select id::text as id, left(uniqueid, 200) as uniqueid, left(name, 200) as name
         from tc_devices d where d.id > $1::bigint order by d.id limit ${PAGE_ROWS}`,
      [after],
    )
    for (const { id, uniqueid: uniqueId, name } of rows) devices.add({ id, uniqueId, name })
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_ROWS) return devices
    after = last.id
  }
}

/** What comes while it is read is left for the next import, so that both passes see the same. */
async function selectSpan(client: pg.Client): Promise<{ first: bigint; last: bigint }> {
  const { rows } = await client.query<{ first: string | null; last: string | null }>(
    'select min(id)::text as first, max(id)::text as last from tc_positions',
  )
  return { first: BigInt(rows[0]?.first ?? 0), last: BigInt(rows[0]?.last ?? -1) }
}

function pageStatement(types: ReadonlyMap<string, string>, timeZone: string): string {
  const selected = positionColumns.filter((name) => types.has(name)).map((name) => `${expressionOf(name, types, timeZone)} as ${name}`)
  return `select ${selected.join(', ')} from tc_positions p where p.id > $1::bigint and p.id <= $2::bigint order by p.id limit ${PAGE_ROWS}`
}

function expressionOf(name: PositionColumn, types: ReadonlyMap<string, string>, timeZone: string): string {
  if (!TIME_COLUMNS.has(name)) return `left(p.${name}::text, ${MAX_TEXT_CHARACTERS})`
  // `requireZone` has looked at the name.
  const instant = types.get(name) === 'timestamp with time zone' ? `p.${name}` : `(p.${name} at time zone ${pg.escapeLiteral(timeZone)})`
  return `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

type Reading = { readonly devices: TraccarDevices; readonly statement: string; readonly first: bigint; readonly last: bigint }

async function* readPositions(client: pg.Client, { devices, statement, first, last }: Reading): AsyncGenerator<PastPart, void> {
  for (let after = first - 1n; after < last; ) {
    const { rows } = await client
      .query<Record<PositionColumn, string | null>>(statement, [String(after), String(last)])
      .catch((error: unknown) => {
        throw explained(error)
      })
    const end = rows.at(-1)
    if (end === undefined) return
    after = BigInt(end.id ?? last)
    const records = rows.map((row) => {
      const given = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined])) as PositionRow
      return fromPosition(given, devices.uniqueIdOf(given.deviceid))
    })
    yield { records, share: last === first ? 1 : Number(after - first) / Number(last - first) }
  }
}

function explained(error: unknown): unknown {
  if (error instanceof BackfillProblem) return error
  const { code, message } = error as { code?: unknown; message?: string }
  if (typeof code !== 'string') return error
  const fix =
    code === '42501'
      ? ' Grant this user SELECT on tc_devices and tc_positions.'
      : code.startsWith('28')
        ? ' Check the user and the password.'
        : ''
  return new BackfillProblem(`Traccar's database cannot be read: ${message}.${fix}`, { cause: error })
}
