// A request as the emulator's parts see it, and what they answer.

export type Exchange = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export type Reply = { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}

export function html(status: number, body: string): Reply {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }, body }
}

/** Of a path such as `/v1/refunds/:id`, the parts with a name; absent where it is another path. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.replace(/\/$/, '').split('/')]
  if (wanted.length !== given.length) return undefined
  const found: Record<string, string> = {}
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? ''
    if (part.startsWith(':')) found[part.slice(1)] = value
    else if (part !== value) return undefined
  }
  return found
}

export type Route = {
  readonly method: string
  readonly path: string
  /** As faults name it. */
  readonly operation: string
}

export function routeFor<R extends Route>(
  routes: readonly R[],
  { method, path }: Exchange,
): { route: R; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const params = route.method === method ? matchPath(route.path, path) : undefined
    if (params !== undefined) return { route, params }
  }
  return undefined
}
