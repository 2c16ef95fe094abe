import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Receiver, SeenMessage } from './seen-message.ts'

export const MAX_KEPT_MESSAGES = 50

export type Recording = { readonly resellerId: string; readonly deviceId: string; readonly until: Date }

export async function selectRecordingsAcrossResellers(db: Db, at: Date): Promise<Recording[]> {
  const { rows } = await db.query<{ reseller_id: string; device_id: string; recorded_until: Date }>(
    'select reseller_id, device_id, recorded_until from message_recordings where recorded_until > $1',
    [at],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, deviceId: row.device_id, until: row.recorded_until }))
}

export async function selectRecordedUntil(db: Db, resellerId: string, deviceId: string, at: Date): Promise<Date | undefined> {
  const { rows } = await db.query<{ recorded_until: Date }>(
    'select recorded_until from message_recordings where reseller_id = $1 and device_id = $2 and recorded_until > $3',
    [resellerId, deviceId, at],
  )
  return rows[0]?.recorded_until
}

/** How many other devices of the reseller are recorded. Those that end meanwhile may still be counted. */
export async function countOtherRecordings(db: Db, resellerId: string, deviceId: string, at: Date): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from message_recordings where reseller_id = $1 and device_id <> $2 and recorded_until > $3`,
    [resellerId, deviceId, at],
  )
  return rows[0]?.count ?? 0
}

export async function upsertRecording(db: Db, { resellerId, deviceId, until }: Recording): Promise<void> {
  await db.query(
    `insert into message_recordings (reseller_id, device_id, recorded_until) values ($1, $2, $3)
     on conflict (reseller_id, device_id) do update set recorded_until = excluded.recorded_until`,
    [resellerId, deviceId, until],
  )
}

/** Whether there was one. */
export async function deleteRecording(db: Db, resellerId: string, deviceId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from message_recordings where reseller_id = $1 and device_id = $2', [resellerId, deviceId])
  return rowCount === 1
}

/** Messages of a device that is not known, or not of the sender's sub-client, are left out; of each device the newest are kept. */
export async function insertMessagesAcrossResellers(db: Db, messages: readonly SeenMessage[]): Promise<void> {
  const column = <T>(read: (message: SeenMessage) => T) => messages.map(read)
  const { rows } = await db.query<{ reseller_id: string; device_id: string }>(
    `insert into device_messages (reseller_id, device_id, sub_client_id, received_at, receiver, status, reading_id, body, body_bytes,
                                  is_body_cut, warnings, error)
     select u.reseller_id, d.device_id, d.sub_client_id, u.received_at, u.receiver, u.status, u.reading_id, u.body, u.body_bytes,
            u.is_body_cut, u.warnings, u.error
       from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[], $9::integer[],
                   $10::boolean[], $11::jsonb[], $12::jsonb[]) with ordinality
            u (reseller_id, device, sub_client_pin, received_at, receiver, status, reading_id, body, body_bytes, is_body_cut, warnings, error, place)
       join devices d on d.reseller_id = u.reseller_id
                     and (d.device_id = u.device or (d.imei = u.device and d.status <> 'decommissioned'))
                     and (u.sub_client_pin is null or d.sub_client_id = u.sub_client_pin)
      order by u.place
     returning reseller_id, device_id`,
    [
      column(({ resellerId }) => resellerId),
      column(({ device }) => device),
      column(({ subClientPin }) => subClientPin ?? null),
      column(({ receivedAtMs }) => new Date(receivedAtMs)),
      column(({ receiver }) => receiver ?? null),
      column(({ status }) => status),
      column(({ readingId }) => readingId ?? null),
      column(({ body }) => body.text),
      column(({ body }) => body.bytes),
      column(({ body }) => body.isCut),
      column(({ warnings }) => (warnings === undefined ? null : JSON.stringify(warnings))),
      column(({ error }) => (error === undefined ? null : JSON.stringify(error))),
    ],
  )
  await deleteOlderMessages(db, rows)
}

async function deleteOlderMessages(db: Db, devices: readonly { reseller_id: string; device_id: string }[]): Promise<void> {
  await db.query(
    `delete from device_messages m
      using (select message_no, row_number() over (partition by reseller_id, device_id order by message_no desc) as place
               from device_messages
              where (reseller_id, device_id) in (select * from unnest($1::text[], $2::text[]))) ranked
      where m.message_no = ranked.message_no and ranked.place > $3`,
    [devices.map((each) => each.reseller_id), devices.map((each) => each.device_id), MAX_KEPT_MESSAGES],
  )
}

export type KeptMessage = {
  readonly messageNo: string
  readonly receivedAt: Date
  readonly receiver: Receiver | undefined
  readonly status: SeenMessage['status']
  readonly readingId: string | undefined
  readonly body: string
  readonly bodyBytes: number
  readonly isBodyCut: boolean
  readonly warnings: NonNullable<SeenMessage['warnings']>
  readonly error: SeenMessage['error']
}

/** Newest first. For a viewer of one sub-client, those that came while the device was that sub-client's. */
export async function selectMessages(
  db: Db,
  of: { resellerId: string; deviceId: string; subClientPin: string | undefined },
): Promise<KeptMessage[]> {
  const { rows } = await db.query<MessageRow>(
    `select message_no::text, received_at, receiver, status, reading_id, body, body_bytes, is_body_cut, warnings, error
       from device_messages
      where reseller_id = $1 and device_id = $2 and ($3::text is null or sub_client_id = $3)
      order by message_no desc
      limit $4`,
    [of.resellerId, of.deviceId, of.subClientPin ?? null, MAX_KEPT_MESSAGES],
  )
  return rows.map((row) => ({
    messageNo: row.message_no,
    receivedAt: row.received_at,
    receiver: row.receiver ?? undefined,
    status: row.status,
    readingId: row.reading_id ?? undefined,
    body: row.body,
    bodyBytes: row.body_bytes,
    isBodyCut: row.is_body_cut,
    warnings: row.warnings ?? [],
    error: row.error ?? undefined,
  }))
}

type MessageRow = {
  message_no: string
  received_at: Date
  receiver: Receiver | null
  status: SeenMessage['status']
  reading_id: string | null
  body: string
  body_bytes: number
  is_body_cut: boolean
  warnings: NonNullable<SeenMessage['warnings']> | null
  error: NonNullable<SeenMessage['error']> | null
}

export async function deleteOldMessagesAcrossResellers(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from device_messages
      where message_no in (select message_no from device_messages where received_at < $1 order by received_at limit $2)`,
    [before, limit],
  )
  return rowCount ?? 0
}

export async function deleteEndedRecordingsAcrossResellers(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from message_recordings
      where (reseller_id, device_id) in (select reseller_id, device_id from message_recordings where recorded_until < $1 limit $2)`,
    [before, limit],
  )
  return rowCount ?? 0
}
