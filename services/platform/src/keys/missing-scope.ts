import { Problem } from '@roadworthy/service-kit/http/problem'
import { type RouteScope, scopesOfRoute } from './scopes.ts'

export function missingScope(scope: RouteScope): Problem {
  const [first, ...others] = scopesOfRoute(scope)
  const named = [first, ...others].join(' or ')
  const message = scope === '*' ? 'This route needs a key with full access.' : `This key lacks the scope ${named}.`
  const details = { required_scope: first, ...(others.length === 0 ? {} : { also_accepted: others }) }
  return new Problem('missing_scope', message, { details })
}
