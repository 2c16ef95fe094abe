// A list of devices as people keep it in a spreadsheet, read as what the service registers.

import type { DeviceImportRow, ImportedDevice } from '@roadworthy/contracts/platform-v1/device-import'
import { csvRow, csvText } from '@roadworthy/service-kit/text/csv'
import { wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { type CsvRecord, readCsv } from './csv-records.ts'
import { digitsOf } from './register-form.ts'

/** As the service takes in one call. */
export const MAX_IMPORTED = 1_000
/** The body of a call may have as many bytes, and names of fields make it longer than the file. */
export const MAX_FILE_BYTES = 1_000_000

/** The column that refused rows are given back with. */
const REASON = 'error'

export type ImportColumn = { readonly name: string; readonly field: string; readonly hint: string; readonly example: string }

/** In the order of the template. `field`: what the service calls it. */
export const importColumns: readonly ImportColumn[] = [
  { name: 'name', field: 'name', hint: t('For people. A name or an IMEI is needed.'), example: t('Truck 17 dongle') },
  { name: 'imei', field: 'imei', hint: t('14 to 16 digits. In a spreadsheet, format the column as text.'), example: '356938035643809' },
  {
    name: 'device_type',
    field: 'deviceType',
    hint: t('One of {types}; other when it is empty.', {
      types: 'obd_dongle, gps_tracker, can_gateway, dashcam, mobile_app, asset_tracker',
    }),
    example: 'obd_dongle',
  },
  {
    name: 'connection_method',
    field: 'connectionMethod',
    hint: t('One of {methods}; mqtt when it is empty. With osmand and http a device gets a token, for phones and trackers.', {
      methods: 'mqtt, http, stream, osmand, traccar, tcp',
    }),
    example: '',
  },
  { name: 'sim_number', field: 'simNumber', hint: t('The ICCID, where the device has a SIM'), example: '' },
  { name: 'sub_client_id', field: 'subClientId', hint: t('The id of the sub-client that receives it.'), example: '' },
  {
    name: 'status',
    field: 'status',
    hint: t('pending or active. Empty: pending, and active with its first message.'),
    example: 'pending',
  },
  {
    name: 'license_plate',
    field: 'vehicle.licensePlate',
    hint: t('Of its vehicle, which is found by it or created.'),
    example: 'KA-01-AB-1234',
  },
  { name: 'vin', field: 'vehicle.vin', hint: t('Of its vehicle, which is found by it or created.'), example: '' },
  { name: 'make', field: 'vehicle.make', hint: t('Of a vehicle that is created.'), example: 'Toyota' },
  { name: 'model', field: 'vehicle.model', hint: t('Of a vehicle that is created.'), example: 'Etios' },
  { name: 'year', field: 'vehicle.year', hint: t('Of a vehicle that is created.'), example: '2014' },
  { name: 'vehicle_id', field: 'vehicle.vehicleId', hint: t('In place of all that: the id of a vehicle that is known.'), example: '' },
]

/** Other names of a column, as they stand in lists that were made for other programs. */
const columnOfName = new Map<string, string>([
  ...importColumns.map(({ name }) => [plain(name), name] as const),
  ...(['plate', 'licenceplate', 'registration'] as const).map((other) => [other, 'license_plate'] as const),
  ['connection', 'connection_method'],
  ...(['type', 'kind'] as const).map((other) => [other, 'device_type'] as const),
  ...(['iccid', 'sim'] as const).map((other) => [other, 'sim_number'] as const),
  ['subclient', 'sub_client_id'],
  ['vehicle', 'vehicle_id'],
])

export type ImportRow = {
  /** As the spreadsheet counts it. */
  readonly number: number
  readonly cells: readonly string[]
  readonly device: ImportedDevice
  /** What is wrong with it before the service is asked; it is not sent. */
  readonly mistake: string | undefined
}

export type ImportList = {
  readonly header: readonly string[]
  readonly rows: readonly ImportRow[]
  /** Columns that mean nothing here. */
  readonly unread: readonly string[]
}

/** The devices of a file, or why there are none. */
export function readDevices(text: string): ImportList | { readonly problem: string } {
  const [first, ...records] = readCsv(text)
  if (first === undefined) return { problem: t('There is nothing in it.') }
  const header = first.cells
  const columns = header.map((name) => columnOfName.get(plain(name)))
  if (!columns.includes('name') && !columns.includes('imei')) {
    return { problem: t('Its first line has to name the columns, and one of them has to be “name” or “imei”.') }
  }
  const twice = columns.find((column, i) => column !== undefined && columns.indexOf(column) < i)
  if (twice !== undefined) return { problem: t('Two columns mean “{column}”. Take one away.', { column: twice }) }
  if (records.length === 0) return { problem: t('It names the columns, and no device.') }
  if (records.length > MAX_IMPORTED) {
    return {
      problem: t('It has {count} devices. At most {limit} are imported at once: split it.', {
        count: wholeNumber(records.length),
        limit: wholeNumber(MAX_IMPORTED),
      }),
    }
  }
  const rowOfImei = new Map<string, number>()
  const rows = records.map((record) => readRow(record, columns, rowOfImei))
  return { header, rows, unread: header.filter((name, i) => !['', REASON].includes(name) && columns[i] === undefined) }
}

function readRow({ number, cells }: CsvRecord, columns: readonly (string | undefined)[], rowOfImei: Map<string, number>): ImportRow {
  const values = new Map(columns.flatMap((column, i) => (column === undefined ? [] : [[column, cells[i] ?? ''] as const])))
  const device = toDevice(values)
  const mistake = mistakeIn(device, cells, columns.length, rowOfImei)
  if (typeof device.imei === 'string' && !rowOfImei.has(device.imei)) rowOfImei.set(device.imei, number)
  return { number, cells, device, mistake }
}

/** What the service cannot report in terms of the file. */
function mistakeIn({ imei }: ImportedDevice, cells: readonly string[], columnCount: number, rowOfImei: ReadonlyMap<string, number>) {
  if (cells.slice(columnCount).some((cell) => cell !== '')) {
    return t('It has more cells than the first line names columns. Put a text with a separator in it into quotes.')
  }
  if (typeof imei !== 'string') return undefined
  if (/^\d([.,]\d+)?e\+?\d+$/i.test(imei)) {
    return t('The spreadsheet has rounded the IMEI {imei}. Format the column as text and enter it again.', { imei })
  }
  const row = rowOfImei.get(imei)
  return row === undefined ? undefined : t('Row {row} has the same IMEI.', { row })
}

/** The service reports what is wrong with a value, so it is sent as it stands. */
function toDevice(values: ReadonlyMap<string, string>): ImportedDevice {
  const device: Record<string, unknown> = {}
  const vehicle: Record<string, unknown> = {}
  for (const { name, field } of importColumns) {
    const value = values.get(name) ?? ''
    if (value === '') continue
    const [, ofVehicle] = field.split('vehicle.')
    if (ofVehicle === undefined) device[field] = cellValue(name, value)
    else vehicle[ofVehicle] = cellValue(name, value)
  }
  if (Object.keys(vehicle).length === 0) return device
  return { ...device, vehicle: { mode: vehicle['vehicleId'] === undefined ? 'create' : 'link', ...vehicle } }
}

function cellValue(column: string, value: string): string | number {
  if (column === 'imei') return digitsOf(value)
  if (['device_type', 'connection_method', 'status'].includes(column)) return value.toLowerCase().replaceAll(/[\s-]+/g, '_')
  return column === 'year' && /^\d+$/.test(value) ? Number(value) : value
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** What the file calls the field that the service blames. */
export function columnOfField(field: string | null): string | undefined {
  return importColumns.find((column) => column.field === field)?.name
}

/** With a line as an example. */
export function templateCsv(): string {
  return csvRow(importColumns.map(({ name }) => name)) + csvRow(importColumns.map(({ example }) => example))
}

/** Refused rows as they came, with the reason beside each: to be corrected and imported. */
export function refusedCsv({ header }: ImportList, refused: readonly CheckedRow[]): string {
  const places = header.flatMap((name, i) => (name === REASON ? [] : [i]))
  const lines = refused.map(({ row: { cells }, error }) => csvRow([...places.map((i) => cells[i] ?? ''), csvText(error?.message ?? '')]))
  return csvRow([...places.map((i) => header[i] ?? ''), REASON]) + lines.join('')
}

/** What the devices connect with. The service shows passwords once. */
export function credentialsCsv(rows: readonly RegisteredRow[]): string {
  const lines = rows.map(({ row: { number, device }, status, registered }) => {
    const { id, mqttBroker, mqttUsername, mqttPassword, mqttTopic, trackerToken = '' } = registered
    const texts = [device.name ?? '', device.imei ?? ''].map(csvText)
    return csvRow([String(number), status, ...texts, id, mqttBroker, mqttUsername, mqttPassword, mqttTopic, trackerToken])
  })
  return (
    csvRow(['row', 'status', 'name', 'imei', 'device_id', 'mqtt_broker', 'mqtt_username', 'mqtt_password', 'mqtt_topic', 'tracker_token']) +
    lines.join('')
  )
}

export type CheckedRow = { readonly row: ImportRow; readonly error: { readonly message: string; readonly field: string | null } | null }
export type RegisteredRow = {
  readonly row: ImportRow
  readonly status: DeviceImportRow['status']
  readonly registered: NonNullable<DeviceImportRow['device']>
}

/** Rows that the service is asked about, in its order. */
export function rowsToSend({ rows }: ImportList): ImportRow[] {
  return rows.filter(({ mistake }) => mistake === undefined)
}

/** What the service answered to `rowsToSend`, beside the rows of the file. */
export function checkedRows(list: ImportList, answered: readonly DeviceImportRow[]): CheckedRow[] {
  const errorOf = new Map(rowsToSend(list).map((row, i) => [row, answered[i]?.error ?? null]))
  return list.rows.map((row) => {
    const error = row.mistake === undefined ? (errorOf.get(row) ?? null) : { message: row.mistake, field: null }
    return { row, error }
  })
}

export function registeredRows(list: ImportList, answered: readonly DeviceImportRow[]): RegisteredRow[] {
  return rowsToSend(list).flatMap((row, i) => {
    const { device = null, status = 'refused' } = answered[i] ?? {}
    return device === null ? [] : [{ row, status, registered: device }]
  })
}

/** A list that a person has chosen. `onceKey`: it is registered once, however often that is asked for. */
export type Chosen = { readonly name: string; readonly list: ImportList; readonly onceKey: string }
