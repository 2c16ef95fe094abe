import {
  DeviceImport,
  DeviceImported,
  ImportedDevice,
  MAX_IMPORTED_DEVICES,
  type DeviceImportRow as WireRow,
} from '@roadworthy/contracts/platform-v1/device-import'
import type { DeviceRegistered } from '@roadworthy/contracts/platform-v1/devices'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { createSchemaCheck } from '@roadworthy/service-kit/http/schema-check'
import { csvRow, csvText } from '@roadworthy/service-kit/text/csv'
import { Type } from 'typebox'
import { authorOf } from '../audit/audit.ts'
import type { DeviceRoutesDeps } from './device.routes.external.ts'
import { type ImportedRow, type ImportRow, importDevices } from './import-devices.ts'
import { fromPlatformRegistration, toPlatformRegistered } from './platform-device.ts'
import type { Registration } from './register-device.ts'

/** The rows are checked one by one, so that each gets its own reason. */
const frameOfImport = Type.Object({
  ...DeviceImport.properties,
  devices: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_IMPORTED_DEVICES }),
})
const checkFrame = createSchemaCheck(frameOfImport)
const checkRow = createSchemaCheck(ImportedDevice)

const csvColumns = [
  ...[
    'row',
    'status',
    'name',
    'imei',
    'device_id',
    'mqtt_broker',
    'mqtt_username',
    'mqtt_password',
    'mqtt_topic',
    'tracker_token',
    'error',
  ],
]
const CSV_EXAMPLE = `${csvColumns.join(',')}\r\n1,registered,Truck 17 dongle,356938035643809,dev-…,mqtt.example.com:1883,north-fleet/dev-…,…,fleet/…,,\r\n`

export function addImportRoute(app: App, deps: DeviceRoutesDeps): void {
  const { now, mqtt, brokerAccounts, fleetChanged } = deps
  app.post(
    '/devices/import',
    {
      config: { scope: 'devices:write' },
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'importDevices',
        summary: `Register up to ${MAX_IMPORTED_DEVICES} devices at once`,
        description:
          'In one transaction. When a row cannot be registered, none is, and the 400 has the reason for each such row in `details.rows`; `skipInvalid` ' +
          'registers the others. A row that is repeated with the same fields within 24 hours, and has an IMEI, shows the same credentials again.',
        tags: ['Devices'],
        body: DeviceImport,
        response: {
          200: {
            description: 'What became of each row.',
            content: {
              'application/json': { schema: DeviceImported },
              'text/csv': { schema: Type.String(), examples: { imported: { value: CSV_EXAMPLE } } },
            },
          },
          ...errorResponses(404, 409),
        },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const wrong = checkFrame(body)
      if (wrong !== undefined) throw wrong
      const { dryRun = false, skipInvalid = false, format = 'json' } = body
      const toAnswer = (registration: Registration) => toPlatformRegistered(registration, caller.resellerId, mqtt)
      const given = { ...deps, brokerAccounts, toAnswer, author: authorOf(request, now()) }
      const { rows, isKept } = await importDevices(given, caller, body.devices.map(readRow), { dryRun, skipInvalid })
      if (isKept) fleetChanged(caller.resellerId)
      const results = rows.map(toRow)
      const refused = results.filter(({ status }) => status === 'refused')
      if (!isKept && !dryRun) throw nothingImported(refused)
      if (format === 'csv') {
        reply.header('content-type', 'text/csv; charset=utf-8')
        return [csvRow(csvColumns), ...results.map((row, i) => toCsvRow(row, body.devices[i]))].join('')
      }
      return { dryRun, registeredCount: results.length - refused.length, refusedCount: refused.length, rows: results }
    },
  )
}

function readRow(row: ImportedDevice): ImportRow {
  const wrong = checkRow(row)
  return wrong ?? fromPlatformRegistration(row)
}

function toRow(row: ImportedRow<DeviceRegistered>, i: number): WireRow {
  const device = row.status === 'registered' || row.status === 'repeated' ? row.answer : null
  return { row: i + 1, status: row.status, device, error: row.status === 'refused' ? toRowError(row.problem) : null }
}

function toRowError({ code, message, details }: Problem): NonNullable<WireRow['error']> {
  const field = details?.['field']
  return { code, message, field: typeof field === 'string' ? field : null }
}

function nothingImported(refused: readonly WireRow[]): Problem {
  const rows = refused.map(({ row, error }) => ({ row, error }))
  const count = rows.length === 1 ? 'One row' : `${rows.length} rows`
  return new Problem('invalid_request', `${count} cannot be registered, so none was; see details.rows.`, { details: { in: 'body', rows } })
}

function toCsvRow({ row, status, device, error }: WireRow, given: unknown): string {
  // A row that was refused may be anything, and so may what it has as name and IMEI.
  const { name, imei } = (given ?? {}) as { name?: unknown; imei?: unknown }
  const mqtt = [device?.mqttBroker, device?.mqttUsername, device?.mqttPassword, device?.mqttTopic]
  const credentials = [device?.id, ...mqtt, device?.trackerToken]
  const texts = [name ?? '', imei ?? ''].map((sent) => csvText(typeof sent === 'string' ? sent : JSON.stringify(sent)))
  return csvRow([String(row), status, ...texts, ...credentials.map((text) => text ?? ''), csvText(error?.message ?? '')])
}
