import type { Db } from '@roadworthy/service-kit/postgres/db'

/** The first answer to a registration, sealed because it shows the password. */
export type KeptRegistration = { readonly bodySha256: Buffer; readonly sealedAnswer: Buffer; readonly createdAt: Date }

export async function insertRegistration(db: Db, resellerId: string, deviceId: string, kept: KeptRegistration): Promise<void> {
  await db.query(
    `insert into device_registrations (reseller_id, device_id, body_sha256, answer, created_at)
     values ($1, $2, $3, $4, $5)`,
    [resellerId, deviceId, kept.bodySha256, kept.sealedAnswer, kept.createdAt],
  )
}

/** The living device with this IMEI, and the answer kept for it if there still is one. */
export async function selectRegistrationByImei(
  db: Db,
  resellerId: string,
  imei: string,
): Promise<{ deviceId: string; subClientId: string | undefined; kept: KeptRegistration | undefined } | undefined> {
  const { rows } = await db.query<RegistrationRow>(
    `select d.device_id, d.sub_client_id, r.body_sha256, r.answer, r.created_at
       from devices d
       left join device_registrations r on r.reseller_id = d.reseller_id and r.device_id = d.device_id
      where d.reseller_id = $1 and d.imei = $2 and d.status <> 'decommissioned'`,
    [resellerId, imei],
  )
  const [row] = rows
  if (row === undefined) return undefined
  const { body_sha256, answer, created_at } = row
  const kept =
    body_sha256 === null || answer === null || created_at === null
      ? undefined
      : { bodySha256: body_sha256, sealedAnswer: answer, createdAt: created_at }
  return { deviceId: row.device_id, subClientId: row.sub_client_id ?? undefined, kept }
}

/** Kept answers hold credentials: they go as soon as they cannot be replayed. Returns how many. */
export async function deleteExpiredRegistrationsAcrossResellers(db: Db, expiredBefore: Date): Promise<number> {
  const { rowCount } = await db.query('delete from device_registrations where created_at < $1', [expiredBefore])
  return rowCount ?? 0
}

type RegistrationRow = {
  device_id: string
  sub_client_id: string | null
  body_sha256: Buffer | null
  answer: Buffer | null
  created_at: Date | null
}
