// Written by `npm run openapi` from docs/openapi/external.json and the table of methods. Changes belong there.

import type { RouteTable } from '../route.ts'

export const externalRoutes: RouteTable = {
  health: {
    get: { method: 'GET', path: '/api/external/health' },
  },
  subClients: {
    create: { method: 'POST', path: '/api/external/sub-clients', input: 'body', takesKey: true },
    list: { method: 'GET', path: '/api/external/sub-clients', input: 'query', items: 'sub_clients' },
    get: { method: 'GET', path: '/api/external/sub-clients/{sub_client_id}' },
    update: { method: 'PUT', path: '/api/external/sub-clients/{sub_client_id}', input: 'body' },
    deactivate: { method: 'DELETE', path: '/api/external/sub-clients/{sub_client_id}' },
  },
  devices: {
    register: { method: 'POST', path: '/api/external/devices', input: 'body', takesKey: true },
    list: { method: 'GET', path: '/api/external/devices', input: 'query', items: 'devices' },
    get: { method: 'GET', path: '/api/external/devices/{device_id}' },
    update: { method: 'PUT', path: '/api/external/devices/{device_id}', input: 'body' },
    decommission: { method: 'POST', path: '/api/external/devices/{device_id}/decommission', takesKey: true },
    rotateCredentials: { method: 'POST', path: '/api/external/devices/{device_id}/credentials/rotate', input: 'body', takesKey: true },
    listLocations: { method: 'GET', path: '/api/external/devices/locations', input: 'query', items: 'locations' },
    getLocation: { method: 'GET', path: '/api/external/devices/{device_id}/location' },
  },
  vehicles: {
    upsert: { method: 'POST', path: '/api/external/vehicles', input: 'body', takesKey: true },
    list: { method: 'GET', path: '/api/external/vehicles', input: 'query', items: 'vehicles' },
    get: { method: 'GET', path: '/api/external/vehicles/{vehicle_id}' },
    update: { method: 'PUT', path: '/api/external/vehicles/{vehicle_id}', input: 'body' },
    retire: { method: 'DELETE', path: '/api/external/vehicles/{vehicle_id}' },
  },
  telemetry: {
    send: { method: 'POST', path: '/api/external/telemetry', input: 'body', takesKey: true },
    sendBatch: { method: 'POST', path: '/api/external/telemetry/batch', input: 'body', batch: { key: 'records', max: 100, maxBytes: 1048576 }, takesKey: true },
    get: { method: 'GET', path: '/api/external/telemetry/{id}' },
  },
  track: {
    send: { method: 'POST', path: '/api/external/track', input: 'body', takesKey: true },
    sendBatch: { method: 'POST', path: '/api/external/track/batch', input: 'body', batch: { key: 'points', max: 100, maxBytes: 1048576 }, takesKey: true },
  },
  predict: { method: 'POST', path: '/api/external/predict', input: 'body', takesKey: true },
  predictions: {
    list: { method: 'GET', path: '/api/external/predictions', input: 'query', items: 'predictions' },
  },
  usage: {
    get: { method: 'GET', path: '/api/external/usage', input: 'query', items: 'rows', answers: ['json', 'text'] },
  },
}
