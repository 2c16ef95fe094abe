// What a process does. One process does everything by default; several share the work of an installation.

export const ROLES = ['api', 'receivers', 'worker'] as const
/**
 * `api`: the REST APIs but readings, the dashboard and the documentation. `receivers`: readings by REST, MQTT and Kafka. `worker`: everything that
 * nobody waits for: scoring, webhooks, notifications, invoices, retention.
 */
export type Role = (typeof ROLES)[number]

export const ROLES_PATTERN = `^(${ROLES.join('|')})(,(${ROLES.join('|')}))*$`

export function rolesOf({ roles }: { readonly roles: string }): ReadonlySet<Role> {
  return new Set(roles.split(',') as Role[])
}

export function hasEveryRole(settings: { readonly roles: string }): boolean {
  return rolesOf(settings).size === ROLES.length
}
