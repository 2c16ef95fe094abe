/** Spec §5.1, and three added ones (Spec gap §5.4) for surfaces the spec gives no scope. */
export const scopes = [
  'sub_clients:read',
  'sub_clients:manage',
  'devices:read',
  'devices:write',
  'vehicles:read',
  'vehicles:write',
  'predict',
  'telemetry:read',
  'telemetry:write',
  'tracking:read',
  'tracking:write',
  'billing:read',
  'billing:write',
  'webhooks:manage',
] as const
export type Scope = (typeof scopes)[number]
