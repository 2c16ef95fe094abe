import { type Scope, scopes } from '@roadworthy/contracts/scopes'

export { type Scope, scopes }

/** `sandbox:*` is what keys issued before scopes were granular carry; it stays full access (spec §5.1). */
export const fullAccessScopes = ['*', 'sandbox:*'] as const
export type GrantedScope = Scope | (typeof fullAccessScopes)[number]

/** What a route can ask for: a scope, or `*` where only full access will do. */
export type RequiredScope = Scope | '*'

/** A route's scope, or the scopes of which any one opens it. */
export type RouteScope = RequiredScope | readonly Scope[]

export function scopesOfRoute(scope: RouteScope): readonly RequiredScope[] {
  return typeof scope === 'string' ? [scope] : scope
}

/** Managing sub-clients includes reading them (Spec gap §5.4). */
export function grants(granted: ReadonlySet<string>, wanted: RequiredScope): boolean {
  if (granted.has('*') || granted.has('sandbox:*') || granted.has(wanted)) return true
  return wanted === 'sub_clients:read' && granted.has('sub_clients:manage')
}

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text)
}

export function isGrantedScope(text: string): text is GrantedScope {
  return isScope(text) || (fullAccessScopes as readonly string[]).includes(text)
}

/** Predictions and alerts have one scope for reading and for changing. */
const readingScopes: ReadonlySet<string> = new Set(scopes.filter((scope) => scope.endsWith(':read') || scope === 'predict'))

/** What a person who is signed in may do, by role. The gate also holds viewers to reading, and one of a sub-client to it. */
export const scopesOfRole: Readonly<Record<'owner' | 'member' | 'viewer' | 'sub_client_viewer', ReadonlySet<string>>> = {
  owner: new Set(['*']),
  member: new Set(scopes),
  viewer: readingScopes,
  sub_client_viewer: readingScopes,
}
