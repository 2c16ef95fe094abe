import type { SurfaceMethods } from './method-table.ts'

/** Resources are named as in the paths, methods by what they do. */
export const externalMethods: SurfaceMethods = {
  prefix: '/api/external',
  methods: {
    health: { get: 'GET /health' },
    subClients: {
      create: 'POST /sub-clients',
      list: 'GET /sub-clients',
      get: 'GET /sub-clients/{sub_client_id}',
      update: 'PUT /sub-clients/{sub_client_id}',
      deactivate: 'DELETE /sub-clients/{sub_client_id}',
    },
    devices: {
      register: 'POST /devices',
      list: 'GET /devices',
      get: 'GET /devices/{device_id}',
      update: 'PUT /devices/{device_id}',
      decommission: 'POST /devices/{device_id}/decommission',
      rotateCredentials: 'POST /devices/{device_id}/credentials/rotate',
      listLocations: 'GET /devices/locations',
      getLocation: 'GET /devices/{device_id}/location',
    },
    vehicles: {
      upsert: 'POST /vehicles',
      list: 'GET /vehicles',
      get: 'GET /vehicles/{vehicle_id}',
      update: 'PUT /vehicles/{vehicle_id}',
      retire: 'DELETE /vehicles/{vehicle_id}',
    },
    telemetry: {
      send: 'POST /telemetry',
      sendBatch: { route: 'POST /telemetry/batch', batchOf: 'records' },
      get: 'GET /telemetry/{id}',
    },
    track: {
      send: 'POST /track',
      sendBatch: { route: 'POST /track/batch', batchOf: 'points' },
    },
    predict: 'POST /predict',
    predictions: { list: 'GET /predictions' },
    usage: { get: 'GET /usage' },
  },
}

/** What phones, trackers and platforms that forward them call, each in a format of its own. */
export const calledByTrackers = [
  'GET /api/external/ingest/osmand',
  'POST /api/external/ingest/osmand',
  'GET /api/external/ingest/torque/{token}',
  'POST /api/external/ingest/freematics/{token}/post/{device}',
  'GET /api/external/ingest/freematics/{token}/push',
  'GET /api/external/ingest/freematics/{token}/notify/{device}',
  'POST /api/external/ingest/traccar',
  'POST /api/external/ingest/flespi',
]
