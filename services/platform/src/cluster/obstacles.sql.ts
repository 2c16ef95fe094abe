// What keeps a PostgreSQL from being made a cluster, each with what would be right.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { selectUnfinishedNodes } from './cluster-state.sql.ts'
import { isDistributed } from './is-distributed.sql.ts'

export type Obstacle = { readonly what: string; readonly fix: string }

export class ClusterObstacles extends Error {
  readonly obstacles: readonly Obstacle[]

  constructor(obstacles: readonly Obstacle[]) {
    super(obstacles.map(({ what, fix }) => `${what} ${fix}`).join('\n'))
    this.obstacles = obstacles
  }
}

/** Tried was 14. Assumption: 13 has the functions that are used, and suffices. */
const LEAST_CITUS_MAJOR = 13

export async function findObstacles(db: Db): Promise<Obstacle[]> {
  const version = await citusVersion(db)
  if (version === undefined) {
    return [{ what: 'This database has no Citus.', fix: 'Run "create extension citus" in it, on every node.' }]
  }
  const obstacles: Obstacle[] = []
  if (Number.parseInt(version, 10) < LEAST_CITUS_MAJOR) {
    obstacles.push({ what: `Citus is ${version}.`, fix: `It has to be ${LEAST_CITUS_MAJOR} or newer.` })
  }
  if (!(await isMigrated(db))) {
    const fix = 'Start the service on it once ("npm start" with DATABASE_URL) and stop it again, then repeat this.'
    return [...obstacles, { what: 'This database is not of this release.', fix }]
  }
  const ofNodes = await findObstaclesOfNodes(db)
  obstacles.push(...ofNodes, ...(ofNodes.length === 0 ? await findUndecided(db) : []), ...(await findSessions(db)))
  return obstacles
}

const DECIDED_SOON = 'Citus does so within a minute of all nodes being up; repeat this then.'

/** What `undo` has left to a node that was down holds locks there, which tables that are spread anew would wait for in vain. */
async function findUndecided(db: Db): Promise<Obstacle[]> {
  if (await isDistributed(db, 'reading_effects')) return []
  const nodes = await selectUnfinishedNodes(db)
  return nodes.map((node) => ({ what: `A transaction of several nodes waits on ${node} to be decided.`, fix: DECIDED_SOON }))
}

/** What keeps tables that are spread from coming back. */
export async function findObstaclesOfReturn(db: Db, tables: readonly string[]): Promise<Obstacle[]> {
  const { rows: foreign } = await db.query<{ name: string; owner: string }>(
    `select relname as name, relowner::regrole::text as owner from pg_class where oid = any ($1::regclass[]) and relowner <> current_user::regrole`,
    [tables],
  )
  const [first] = foreign
  if (first !== undefined) {
    return [{ what: `${first.name} belongs to ${first.owner}.`, fix: `Connect as ${first.owner}, so that it does afterwards too.` }]
  }
  const obstacles: Obstacle[] = []
  const { rows } = await db.query<{ may: boolean; name: string }>(
    `select has_database_privilege(current_database(), 'create') as may, current_database() as name`,
  )
  if (rows[0]?.may !== true) {
    const fix = `Run "grant create on database ${rows[0]?.name} to" it as a superuser; it builds the tables in a schema of their own.`
    obstacles.push({ what: 'The owner of the tables may make no schema in this database.', fix })
  }
  return [...obstacles, ...(await findOpenWork(db))]
}

type NodeAnswer = { nodename: string; nodeport: number; success: boolean; result: string }

/** A receiver connects to the workers too; a transaction of several nodes that is not decided holds locks and rows. */
async function findOpenWork(db: Db): Promise<Obstacle[]> {
  const { rows: answers } = await db.query<NodeAnswer>(
    `select n.nodename, n.nodeport, r.success, r.result
       from run_command_on_all_nodes($$select (select count(*) from pg_stat_activity where datname = current_database()
                                                 and usename in ('roadworthy_app', 'roadworthy_system') and application_name not like 'citus%')
                                              || ' ' || (select count(*) from pg_prepared_xacts where database = current_database())$$) r
       join pg_dist_node n using (nodeid)`,
  )
  return answers.flatMap(({ nodename, nodeport, success, result }) => {
    const node = `${nodename}:${nodeport}`
    if (!success) return [{ what: `${node} does not answer: ${result}.`, fix: 'Every node has to be up.' }]
    const [sessions = 0, prepared = 0] = result.split(' ').map(Number)
    const obstacles: Obstacle[] = []
    if (sessions > 0) {
      const fix = 'Stop every process of the service, and the pooler, and repeat this.'
      obstacles.push({ what: `${sessions} sessions of the service are open on ${node}.`, fix })
    }
    if (prepared > 0) {
      obstacles.push({ what: `${prepared} transactions of several nodes wait on ${node} to be decided.`, fix: DECIDED_SOON })
    }
    return obstacles
  })
}

async function citusVersion(db: Db): Promise<string | undefined> {
  const { rows } = await db.query<{ version: string }>(`select extversion as version from pg_extension where extname = 'citus'`)
  return rows[0]?.version
}

async function isMigrated(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ is_there: boolean }>(`select to_regclass('public.reading_effects') is not null as is_there`)
  return rows[0]?.is_there ?? false
}

async function findObstaclesOfNodes(db: Db): Promise<Obstacle[]> {
  const { rows: nodes } = await db.query<{ groupid: number }>(
    `select groupid from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards`,
  )
  if (nodes.length === 0) {
    const fix =
      `Give the coordinator its own address by "select citus_set_coordinator_host('HOST', PORT)" and add each worker with ` +
      `"select citus_add_node('HOST', PORT)".`
    return [{ what: 'The cluster has no node that holds data.', fix }]
  }
  const { rows: settings } = await db.query<NodeAnswer>(
    `select n.nodename, n.nodeport, r.success, r.result
       from run_command_on_all_nodes('show max_prepared_transactions') r join pg_dist_node n using (nodeid)`,
  )
  return settings.flatMap(({ nodename, nodeport, success, result }) => {
    const node = `${nodename}:${nodeport}`
    if (!success) return [{ what: `${node} does not answer: ${result}.`, fix: 'Every node has to be up.' }]
    if (Number(result) > 0) return []
    const fix = 'Set it to at least max_connections in its postgresql.conf and restart it.'
    return [{ what: `${node} has max_prepared_transactions = 0, so that no transaction can be of several nodes.`, fix }]
  })
}

/** A process that wrote to a table while it is distributed would go on as if it were on one node. */
async function findSessions(db: Db): Promise<Obstacle[]> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and usename in ('roadworthy_app', 'roadworthy_system') and application_name not like 'citus%'
        and not exists (select from pg_dist_partition where logicalrelid = 'public.reading_effects'::regclass)`,
  )
  const count = rows[0]?.count ?? 0
  if (count === 0) return []
  return [
    { what: `${count} sessions of the service are open.`, fix: 'Stop every process of the service, and the pooler, and repeat this.' },
  ]
}
