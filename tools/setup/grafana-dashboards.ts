// The dashboards in deploy/grafana/dashboards, from a short description of each: what Grafana stores of one panel is forty lines.

type Query = readonly [expr: string, legend: string]
type Panel = {
  readonly title: string
  /** What one sees when something is wrong. */
  readonly description: string
  /** As Grafana calls it: `reqps`, `s`, `percentunit`, `bytes`, `short`. */
  readonly unit: string
  readonly queries: readonly Query[]
  readonly kind?: 'timeseries' | 'stat'
}
type Dashboard = { readonly uid: string; readonly title: string; readonly panels: readonly Panel[] }

const PANELS_A_ROW = 2
const PANEL_WIDTH = 12
const PANEL_HEIGHT = 8

const rate = (metric: string, labels = '') => `rate(${metric}${labels}[$__rate_interval])`
const quantile = (share: number, metric: string, by = '') => `histogram_quantile(${share}, sum by (le${by}) (${rate(`${metric}_bucket`)}))`
const p50p99 = (metric: string): readonly Query[] => [
  [quantile(0.5, metric), 'half'],
  [quantile(0.99, metric), '99 %'],
]

const DASHBOARDS: Readonly<Record<string, Dashboard>> = {
  overview: {
    uid: 'roadworthy-overview',
    title: 'Roadworthy / Overview',
    panels: [
      {
        title: 'Processes',
        description: '0: it does not answer.',
        unit: 'short',
        kind: 'stat',
        queries: [['up{job=~"roadworthy.*"}', '{{job}} {{instance}}']],
      },
      {
        title: 'Version',
        description: 'Two versions at once: an update is under way.',
        unit: 'short',
        kind: 'stat',
        queries: [['count by (version) (fleet_build_info)', '{{version}}']],
      },
      {
        title: 'Requests',
        description: 'By status. 5xx is what callers see of trouble.',
        unit: 'reqps',
        queries: [[`sum by (status) (${rate('http_request_duration_seconds_count', '{job="roadworthy"}')})`, '{{status}}']],
      },
      {
        title: 'Errors by route',
        description: 'Answers that are 5xx.',
        unit: 'reqps',
        queries: [
          [
            `topk(10, sum by (method, route, status) (${rate('http_request_duration_seconds_count', '{job="roadworthy",status=~"5.."}')}))`,
            '{{method}} {{route}} {{status}}',
          ],
        ],
      },
      {
        title: 'Slowest routes',
        description: 'Within which 99 of 100 requests are answered.',
        unit: 's',
        queries: [[`topk(10, ${quantile(0.99, 'http_request_duration_seconds', ', route')})`, '{{route}}']],
      },
      {
        title: 'Refused by limits',
        description: 'Calls beyond a limit a minute or a day, and beyond a quota of the plan.',
        unit: 'reqps',
        queries: [
          [`sum by (surface) (${rate('fleet_rate_limited_total')})`, 'limit, {{surface}}'],
          [`sum by (surface) (${rate('fleet_quota_exceeded_total')})`, 'quota, {{surface}}'],
        ],
      },
      {
        title: 'Devices',
        description: 'By state, of all resellers.',
        unit: 'short',
        queries: [['max by (state) (fleet_devices)', '{{state}}']],
      },
      {
        title: 'Vehicles',
        description: 'By health, of all resellers.',
        unit: 'short',
        queries: [['max by (health_status) (fleet_vehicles)', '{{health_status}}']],
      },
      {
        title: 'New alerts',
        description: 'By severity. Many at once: a model or a signal that is wrong, rather than a fleet that breaks.',
        unit: 'short',
        queries: [['sum by (severity) (increase(fleet_alerts_total[1h]))', '{{severity}}']],
      },
      {
        title: 'Memory',
        description: 'Resident, of each process.',
        unit: 'bytes',
        queries: [['process_resident_memory_bytes{job=~"roadworthy.*"}', '{{job}} {{instance}}']],
      },
      {
        title: 'Processor',
        description: '1: one core. A process of one role does not use two.',
        unit: 'short',
        queries: [[`${rate('process_cpu_seconds_total', '{job=~"roadworthy.*"}')}`, '{{job}} {{instance}}']],
      },
      {
        title: 'Event loop',
        description: 'What a request waits for at most, because something else is being worked on.',
        unit: 's',
        queries: [['nodejs_eventloop_lag_p99_seconds{job=~"roadworthy.*"}', '{{job}} {{instance}}']],
      },
    ],
  },
  ingest: {
    uid: 'roadworthy-ingest',
    title: 'Roadworthy / Ingest',
    panels: [
      {
        title: 'Readings stored',
        description: 'By receiver.',
        unit: 'short',
        queries: [[`sum by (source) (${rate('fleet_ingest_messages_total', '{outcome="stored"}')})`, '{{source}}']],
      },
      {
        title: 'Readings not stored',
        description: 'Duplicates are devices that send again; refused ones have a reason.',
        unit: 'short',
        queries: [
          [`sum by (source, outcome) (${rate('fleet_ingest_messages_total', '{outcome!="stored"}')})`, '{{source}}, {{outcome}}'],
          [`sum by (reason) (${rate('fleet_ingest_rejected_total')})`, 'reason: {{reason}}'],
        ],
      },
      {
        title: 'From message to commit',
        description: 'A commit takes some milliseconds; more is PostgreSQL.',
        unit: 's',
        queries: p50p99('fleet_ingest_lag_seconds'),
      },
      {
        title: 'Accepted and not committed',
        description: 'At 20,000 callers are asked to come back.',
        unit: 'short',
        queries: [['fleet_ingest_queued_readings', '{{instance}}']],
      },
      {
        title: 'MQTT',
        description: 'Devices that are connected, and sign-ins that were refused.',
        unit: 'short',
        queries: [
          ['sum by (instance) (fleet_mqtt_connected_clients)', 'connected, {{instance}}'],
          [`sum(${rate('fleet_mqtt_auth_failures_total')})`, 'refused a second'],
        ],
      },
      {
        title: 'Streams',
        description: 'Messages that wait; those set aside have a reason.',
        unit: 'short',
        queries: [
          ['sum by (instance) (fleet_kafka_consumer_lag)', 'waiting, {{instance}}'],
          [`sum by (reason) (${rate('fleet_stream_dead_letters_total')})`, 'set aside: {{reason}}'],
        ],
      },
      {
        title: 'Room on the disk',
        description: 'Of DATA_DIR.',
        unit: 'bytes',
        queries: [['fleet_data_dir_free_bytes', '{{instance}}']],
      },
      {
        title: 'Partitions ahead',
        description: 'Without one, readings of that day are refused.',
        unit: 's',
        queries: [['fleet_partitions_ahead_seconds', '{{instance}}']],
      },
      {
        title: 'Log that is not archived',
        description: 'Of PostgreSQL, after the last segment that is. Nothing where nothing is archived.',
        unit: 'bytes',
        queries: [['fleet_wal_archive_pending_bytes', '{{instance}}']],
      },
    ],
  },
  engine: {
    uid: 'roadworthy-engine',
    title: 'Roadworthy / Engine',
    panels: [
      {
        title: 'Ready',
        description: '0: it takes no predictions.',
        unit: 'short',
        kind: 'stat',
        queries: [['engine_ready', '{{instance}}']],
      },
      {
        title: 'Models',
        description: 'Those that answer, and those whose newest version was refused.',
        unit: 'short',
        kind: 'stat',
        queries: [
          ['fleet_models_loaded', 'loaded, {{instance}}'],
          ['engine_models_refused', 'refused, {{instance}}'],
        ],
      },
      {
        title: 'Vehicles judged',
        description: 'By each engine.',
        unit: 'short',
        queries: [[rate('engine_predictions_total'), '{{instance}}']],
      },
      {
        title: 'Judged for this platform',
        description: 'By model.',
        unit: 'short',
        queries: [[`sum by (model) (${rate('fleet_predictions_total')})`, '{{model}}']],
      },
      {
        title: 'An answer takes',
        description: 'As the platform sees it, with what it asked again.',
        unit: 's',
        queries: p50p99('fleet_prediction_duration_seconds'),
      },
      {
        title: 'Vehicles in a question',
        description: 'The middle and the largest.',
        unit: 'short',
        queries: p50p99('fleet_prediction_batch_size'),
      },
      {
        title: 'Refused',
        description: 'By code. overloaded: add an engine or workers.',
        unit: 'reqps',
        queries: [[`sum by (code) (${rate('engine_refused_total')})`, '{{code}}']],
      },
      {
        title: 'Workers and memory',
        description: 'Processes that take requests; bodies that are not answered yet.',
        unit: 'short',
        queries: [
          ['engine_workers', 'workers, {{instance}}'],
          ['engine_open_body_bytes', 'bytes open, {{instance}}'],
        ],
      },
    ],
  },
  webhooks: {
    uid: 'roadworthy-webhooks',
    title: 'Roadworthy / Webhooks',
    panels: [
      {
        title: 'Attempts',
        description: 'By outcome.',
        unit: 'short',
        queries: [[`sum by (outcome) (${rate('fleet_webhook_deliveries_total')})`, '{{outcome}}']],
      },
      {
        title: 'To be sent',
        description: 'To endpoints that are enabled.',
        unit: 'short',
        queries: [['max(fleet_webhook_queue_depth)', 'deliveries']],
      },
      {
        title: 'The oldest waits since',
        description: 'A receiver that is down for hours makes this grow without harm to the others.',
        unit: 's',
        queries: [['max(fleet_webhook_oldest_pending_seconds)', 'seconds']],
      },
      {
        title: 'An attempt takes',
        description: 'Receivers have fifteen seconds.',
        unit: 's',
        queries: p50p99('fleet_webhook_delivery_duration_seconds'),
      },
    ],
  },
}

/** The file of each dashboard by its name, as Grafana reads it. */
export function grafanaDashboards(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(DASHBOARDS).map(([name, each]) => [`${name}.json`, `${JSON.stringify(toGrafana(each), null, 2)}\n`]),
  )
}

/** Every expression of every panel. */
export function dashboardQueries(): { readonly panel: string; readonly expr: string }[] {
  return Object.values(DASHBOARDS).flatMap(({ title, panels }) =>
    panels.flatMap((panel) => panel.queries.map(([expr]) => ({ panel: `${title}: ${panel.title}`, expr }))),
  )
}

function toGrafana({ uid, title, panels }: Dashboard) {
  return {
    ...{ uid, title, tags: ['roadworthy'], schemaVersion: 39, version: 1, editable: true, refresh: '30s', timezone: 'browser' },
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus', hide: 0, current: {} }] },
    panels: panels.map(toPanel),
  }
}

function toPanel({ title, description, unit, queries, kind = 'timeseries' }: Panel, nth: number) {
  const datasource = { type: 'prometheus', uid: '$datasource' }
  const [x, y] = [(nth % PANELS_A_ROW) * PANEL_WIDTH, Math.floor(nth / PANELS_A_ROW) * PANEL_HEIGHT]
  return {
    ...{ id: nth + 1, type: kind, title, description, datasource, gridPos: { x, y, w: PANEL_WIDTH, h: PANEL_HEIGHT } },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: queries.map(([expr, legendFormat], index) => ({ refId: String.fromCharCode(65 + index), datasource, expr, legendFormat })),
  }
}
