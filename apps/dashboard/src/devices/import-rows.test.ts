import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeviceImportRow, MAX_IMPORTED_DEVICES } from '@roadworthy/contracts/platform-v1/device-import'
import {
  checkedRows,
  columnOfField,
  credentialsCsv,
  type ImportList,
  MAX_IMPORTED,
  readDevices,
  refusedCsv,
  registeredRows,
  rowsToSend,
  templateCsv,
} from './import-rows.ts'

function listOf(text: string): ImportList {
  const read = readDevices(text)
  if ('problem' in read) assert.fail(read.problem)
  return read
}
const problemOf = (text: string): string => {
  const read = readDevices(text)
  return 'problem' in read ? read.problem : assert.fail('it was read')
}

test('the template is a list that can be imported', () => {
  const { rows, unread } = listOf(templateCsv())
  assert.deepEqual(
    rows.map(({ number, device, mistake }) => ({ number, device, mistake })),
    [
      {
        number: 2,
        device: {
          name: 'Truck 17 dongle',
          imei: '356938035643809',
          deviceType: 'obd_dongle',
          status: 'pending',
          vehicle: { mode: 'create', licensePlate: 'KA-01-AB-1234', make: 'Toyota', model: 'Etios', year: 2014 },
        },
        mistake: undefined,
      },
    ],
  )
  assert.deepEqual(unread, [])
  assert.equal(MAX_IMPORTED, MAX_IMPORTED_DEVICES)
})

test('columns are known in any order and spelling, and what is unknown is named', () => {
  const { rows, unread } = listOf('Licence plate;IMEI;Colour;Device-Type;Sub client\nN 1;35-693803-564380-9;red;OBD dongle;north\n;1;;;')
  assert.deepEqual(rows[0]?.device, {
    imei: '356938035643809',
    deviceType: 'obd_dongle',
    subClientId: 'north',
    vehicle: { mode: 'create', licensePlate: 'N 1' },
  })
  assert.deepEqual(rows[1]?.device, { imei: '1' }, 'an empty cell is not sent')
  assert.deepEqual(unread, ['Colour'])
})

test('how a device connects is read, so that the phones and trackers of a file get their tokens', () => {
  const { rows, unread } = listOf('name,Connection method\nPhone,OsmAnd\nTracker,http\nDongle,')
  assert.deepEqual(
    rows.map(({ device }) => device.connectionMethod),
    ['osmand', 'http', undefined],
  )
  assert.deepEqual(unread, [])
  assert.equal(columnOfField('connectionMethod'), 'connection_method')
})

test('a vehicle that is named by its id is linked, and what the service has to judge is sent as it stands', () => {
  const [linked, odd] = listOf('name,vehicle_id,year,plate\nA,veh-1,,\nB,,last year,P').rows
  assert.deepEqual(linked?.device.vehicle, { mode: 'link', vehicleId: 'veh-1' })
  assert.equal(odd?.device.vehicle?.year as unknown, 'last year')
})

test('a file without devices is refused with the reason', () => {
  assert.match(problemOf(''), /nothing in it/)
  assert.match(problemOf('Truck 1,N 1\nTruck 2,N 2'), /has to name the columns/)
  assert.match(problemOf('name,imei\n'), /no device/)
  assert.match(problemOf('plate,imei,license_plate\n1,2,3'), /Two columns mean “license_plate”/)
  assert.match(problemOf(`name\n${'A\n'.repeat(MAX_IMPORTED + 1)}`), /1,001 devices\. At most 1,000/)
  assert.equal(listOf(`name\n${'A\n'.repeat(MAX_IMPORTED)}`).rows.length, MAX_IMPORTED)
})

test('what the service cannot report in terms of the file is found here, and not sent', () => {
  const list = listOf('name,imei\nA,356938035643809\nB,3.56938E+14\n\nC,35 693803 564380 9\nD,1,2\nE,,')
  assert.deepEqual(
    list.rows.map(({ number, mistake }) => [number, mistake?.split(/[ .]/).slice(0, 4).join(' ')]),
    [
      [2, undefined],
      [3, 'The spreadsheet has rounded'],
      [5, 'Row 2 has the'],
      [6, 'It has more cells'],
      [7, undefined],
    ],
  )
  assert.deepEqual(
    rowsToSend(list).map(({ device }) => device.name),
    ['A', 'E'],
  )
})

const refusedRow: DeviceImportRow = {
  row: 2,
  status: 'refused',
  device: null,
  error: { code: 'x', message: '=1 "is" wrong', field: 'imei' },
}
const credentials = { mqttBroker: 'b:1', mqttUsername: 'u', mqttPassword: 'p', mqttPasswordHash: 'h', mqttTopic: 't' }
const registered: DeviceImportRow = {
  row: 1,
  status: 'registered',
  device: { id: 'dev-1', status: 'pending', vehicleId: null, subClientId: null, ...credentials },
  error: null,
}

test('answers stand beside the rows of the file that they are about', () => {
  const list = listOf('name,imei,error\nA,1.2E+15,old\n=B,2,\nC,3,')
  const answered = [registered, refusedRow]
  const checked = checkedRows(list, answered)
  assert.deepEqual(
    checked.map(({ row, error }) => [row.number, error?.field]),
    [
      [2, null],
      [3, undefined],
      [4, 'imei'],
    ],
  )
  assert.deepEqual(list.unread, [])
  assert.equal(
    refusedCsv(
      list,
      checked.filter(({ error }) => error !== null),
    ),
    'name,imei,error\r\nA,1.2E+15,The spreadsheet has rounded the IMEI 1.2E+15. Format the column as text and enter it again.\r\nC,3,"\'=1 ""is"" wrong"\r\n',
  )
  assert.equal(
    credentialsCsv(registeredRows(list, answered)),
    "row,status,name,imei,device_id,mqtt_broker,mqtt_username,mqtt_password,mqtt_topic,tracker_token\r\n3,registered,'=B,2,dev-1,b:1,u,p,t,\r\n",
  )
})

test('a field that the service blames is found in the file', () => {
  assert.deepEqual(['vehicle.licensePlate', 'imei', 'nothing', null].map(columnOfField), ['license_plate', 'imei', undefined, undefined])
})
