// A query parameter that a route does not know is refused: ignored, `?statuss=active` would list everything and look like an answer.

import type { App } from './http.ts'
import { Problem } from './problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For probes: those who ask put into the query what they like, against caches. */
    anyQuery?: boolean
  }
}

/** Spec gap §4.2: parameters beyond those of the document. Call on a surface's own instance before its routes. */
export function refuseUnknownQuery(app: App): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const asked = Object.keys(request.query as object)
    if (asked.length === 0 || request.is404) return done()
    const { config, schema } = request.routeOptions
    if (config.anyQuery === true || schema?.hide === true) return done()
    const known = Object.keys((schema?.querystring as { properties?: object } | undefined)?.properties ?? {})
    const unknown = asked.find((name) => !known.includes(name))
    if (unknown === undefined) return done()
    const field = unknown.slice(0, 64).toWellFormed()
    const choice = known.length === 0 ? 'this route takes none' : `there are ${known.join(', ')}`
    done(
      new Problem('invalid_request', `There is no query parameter ${JSON.stringify(field)}; ${choice}.`, {
        details: { in: 'querystring', field, allowed: known },
      }),
    )
  })
}
