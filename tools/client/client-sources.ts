// The generated part of packages/client: what every surface can be asked, from the OpenAPI documents; and, from the contracts, what no
// document describes: events, lines, and messages over MQTT.

import { MqttErrorReport } from '@roadworthy/contracts/mqtt/error-report'
import { VehicleChange } from '@roadworthy/contracts/platform-v1/live'
import { Position } from '@roadworthy/contracts/platform-v1/positions'
import { Event, eventPayloads } from '@roadworthy/contracts/webhooks/events'
import type { DocumentName, JsonSchema, OpenApi } from '../../test/support/open-api.ts'
import { engineMethods } from './engine-methods.ts'
import { calledByTrackers, externalMethods } from './external-methods.ts'
import { isEntry, type MethodTable, type SurfaceMethods } from './method-table.ts'
import { platformMethods } from './platform-methods.ts'
import { comment, describe, typeOf } from './schema-type.ts'
import { calledByGateways, simBillingMethods } from './sim-billing-methods.ts'
import { declaration, GENERATED, surfaceSources } from './surface-source.ts'

export const surfaces: Readonly<Record<DocumentName, { name: string; title: string; isStateless: boolean; table: SurfaceMethods }>> = {
  external: {
    name: 'external',
    title: 'The External API: sub-clients, devices, vehicles and their readings.',
    isStateless: false,
    table: externalMethods,
  },
  'platform-v1': { name: 'platform', title: 'The Platform API: what the dashboard does.', isStateless: false, table: platformMethods },
  'sim-billing': { name: 'sim-billing', title: 'SIMs, invoices and payments.', isStateless: false, table: simBillingMethods },
  engine: { name: 'engine', title: 'The engine. It has no keys and stores nothing.', isStateless: true, table: engineMethods },
}

const calledByOthers = [...calledByGateways, ...calledByTrackers]

/** Operations that have no method, and methods that have no operation; both must be none. */
export function gapsOf(documentName: DocumentName, document: OpenApi): string[] {
  const { table } = surfaces[documentName]
  const named = routesIn(table.methods).map((route) => route.replace(' ', ` ${table.prefix}`))
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const without = documented.filter((route) => !named.includes(route) && !calledByOthers.includes(route))
  const twice = named.filter((route, i) => named.indexOf(route) !== i)
  return [
    ...without.map((route) => `${route} has no method in the client: name it in tools/client/*-methods.ts`),
    ...named.filter((route) => !documented.includes(route)).map((route) => `${route} has a method and is in no document`),
    ...twice.map((route) => `${route} has two methods`),
  ]
}

function routesIn(methods: MethodTable): string[] {
  return Object.values(methods).flatMap((node) => (isEntry(node) ? [typeof node === 'string' ? node : node.route] : routesIn(node)))
}

/** File name under `packages/client/src/generated` to its text. */
export function clientSources(documents: Readonly<Record<DocumentName, OpenApi>>): Readonly<Record<string, string>> {
  const files = Object.entries(surfaces).flatMap(([documentName, surface]) => {
    const document = documents[documentName as DocumentName]
    const gaps = gapsOf(documentName as DocumentName, document)
    if (gaps.length > 0) throw new Error(gaps.join('\n'))
    const { types, routes } = surfaceSources({ ...surface, document, documentName })
    return [
      [`${surface.name}-types.ts`, types],
      [`${surface.name}-routes.ts`, routes],
    ]
  })
  return Object.fromEntries([...files, ['published-types.ts', publishedTypes()]])
}

function publishedTypes(): string {
  const schemaOf = (schema: object) => schema as JsonSchema
  const payloads = Object.entries(eventPayloads).flatMap(([type, payload]) => [
    ...comment(describe(schemaOf(payload)), 1),
    `  '${type}': ${typeOf(schemaOf(payload), { isInput: false }, 1)}`,
  ])
  const { data: _, event: __, ...envelope } = Event.properties
  return [
    `// ${GENERATED} from the contracts: what no OpenAPI document describes.`,
    '',
    "import type { TelemetryRecord } from './external-types.ts'",
    '',
    ...declaration('Position', schemaOf(Position), false),
    ...declaration('VehicleChange', schemaOf(VehicleChange), false),
    '/** What a device sends over MQTT: which device it is, its topic says. */',
    'export type MqttRecord = Partial<TelemetryRecord>',
    '',
    '/** What a device is sent on its `…/errors` topic. */',
    ...declaration('MqttErrorReport', schemaOf(MqttErrorReport), false),
    '/** `data` of an event, by its type. */',
    'export interface EventPayloads {',
    ...payloads,
    '}',
    '',
    'export type EventType = keyof EventPayloads',
    '',
    '/** What every event has. */',
    ...declaration('EventEnvelope', { type: 'object', properties: envelope, required: ['id', 'timestamp', 'sub_client_id'] }, false),
    '/** A webhook, or an entry of the log: `event` decides what `data` is. Types may be added; ignore what you do not know. */',
    'export type FleetEvent = { [Type in EventType]: EventEnvelope & { event: Type; data: EventPayloads[Type] } }[EventType]',
    '',
    '/** A message of `GET /api/v1/stream`. `id` is where to go on after a cut. */',
    'export type StreamMessage =',
    "  | { type: 'ready'; id: string; data: { watched: number } }",
    "  | { type: 'event'; id: string; data: FleetEvent }",
    "  | { type: 'vehicles'; id: string; data: { vehicles: VehicleChange[] } }",
    "  | { type: 'reset'; id: string; data: unknown }",
    '',
  ].join('\n')
}
