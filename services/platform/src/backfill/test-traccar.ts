// For tests only: a database as Traccar makes it, after schema/changelog-4.0-clean.xml of Traccar (Apache-2.0) and what was added since to the two tables that are read.

import { type CleanUp, createTestDatabase } from '@roadworthy/service-kit/postgres/test-database'
import pg from 'pg'

const SCHEMA = `
  create table tc_devices (
    id serial primary key, name varchar(128) not null, uniqueid varchar(128) not null unique, lastupdate timestamp(6), positionid int, groupid int,
    attributes varchar(4000), phone varchar(128), model varchar(128), contact varchar(512), category varchar(128), disabled boolean default false);
  create table tc_positions (
    id serial primary key, protocol varchar(128), deviceid int not null, servertime timestamp(6) not null default current_timestamp,
    devicetime timestamp(6) not null, fixtime timestamp(6) not null, valid boolean not null, latitude double precision not null,
    longitude double precision not null, altitude double precision not null, speed double precision not null, course double precision not null,
    address varchar(512), attributes varchar(4000), accuracy double precision not null default 0, network varchar(4000), geofenceids varchar(128));
  create table tc_groups (id serial primary key, name varchar(128) not null);
  create table tc_geofences (id serial primary key, name varchar(128) not null, area varchar(4096) not null)`

export type TraccarPosition = {
  readonly deviceId: number
  /** As the JVM of Traccar writes it, in its local time. */
  readonly fixTime: string
  readonly valid?: boolean
  readonly speedKnots?: number
  readonly latitude?: number
  readonly attributes?: string
}

export async function openTraccar(t: CleanUp) {
  const { url } = await createTestDatabase(t, { template: 'traccar', migrate: createSchema })
  const query = async (sql: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(sql, values)).rows
    } finally {
      await client.end()
    }
  }
  const addDevice = async (uniqueId: string, name = uniqueId) => {
    const [row] = await query('insert into tc_devices (name, uniqueid, phone) values ($1, $2, $3) returning id', [
      name,
      uniqueId,
      '+49 171 1234567',
    ])
    return row?.id as number
  }
  const addPosition = async ({ deviceId, fixTime, valid = true, speedKnots = 10, latitude = 52.5, attributes = '{}' }: TraccarPosition) =>
    void (await query(
      `insert into tc_positions (protocol, deviceid, devicetime, fixtime, valid, latitude, longitude, altitude, speed, course, attributes)
       values ('teltonika', $1, $2, $2, $3, $4, 13.4, 34.5, $5, 180, $6)`,
      [deviceId, fixTime, valid, latitude, speedKnots, attributes],
    ))
  return { url, query, addDevice, addPosition }
}

async function createSchema(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(SCHEMA)
  await client.end()
}
