// Everything that has an id (`isolation.test.ts`).

/** One of everything that has an id. */
export const idKinds = [
  ...(['invoice', 'ratePlan'] as const),
  ...(['subClient', 'device', 'imei', 'vehicle', 'vehicleRef', 'reading', 'alert', 'incident', 'key'] as const),
  ...([
    'vehicleGroup',
    'webhook',
    'notificationRule',
    'notificationChannel',
    'maintenance',
    'schedule',
    'user',
    'sim',
    'iccid',
    'operatorConnection',
    'gatewayConnection',
    'payment',
    'sync',
  ] as const),
] as const
export type IdKind = (typeof idKinds)[number]
export type Ids = Readonly<Record<IdKind, string>>

/** Of the same form, and nobody's. */
export const unknownIds: Ids = {
  invoice: 'inv-00000000000000000000',
  ratePlan: 'plan-of-nobody',
  subClient: 'nobodys',
  device: 'dev-00000000000000000000',
  imei: '356938035643000',
  vehicle: 'veh-00000000000000000000',
  vehicleRef: 'truck-of-nobody',
  reading: 'tel-00000000000000000000000000000000-mk2v1c0g-dev-00000000000000000000',
  alert: 'alr-00000000000000000000',
  incident: 'inc-00000000000000000000',
  key: 'key-00000000000000000000',
  vehicleGroup: 'vgr-00000000000000000000',
  webhook: 'whe-00000000000000000000',
  notificationRule: 'nrl-00000000000000000000',
  notificationChannel: 'nch-00000000000000000000',
  maintenance: 'mnt-00000000000000000000',
  schedule: 'msc-00000000000000000000',
  user: 'usr-00000000000000000000',
  sim: 'sim-00000000000000000000',
  iccid: '8991000999999999999',
  operatorConnection: 'opc-00000000000000000000',
  gatewayConnection: 'gwc-00000000000000000000',
  payment: 'pay-00000000000000000000',
  sync: 'syn-00000000000000000000',
}

/** What is asked for by a query parameter. */
export const queryKinds: Readonly<Record<string, readonly IdKind[]>> = {
  invoice_id: ['invoice'],
  groupId: ['vehicleGroup'],
  sub_client_id: ['subClient'],
  subClientId: ['subClient'],
  vehicle_id: ['vehicle', 'vehicleRef'],
  vehicleId: ['vehicle', 'vehicleRef'],
  connection_id: ['operatorConnection'],
}
