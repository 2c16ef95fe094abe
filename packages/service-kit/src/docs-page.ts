// The interactive page of an OpenAPI document. Its script is one text of 4 MB that costs 43 MB of memory once loaded (measured, Node
// 24), in a process where nobody may ever open the page: it is loaded by the first request.

import Fastify, { type FastifyInstance } from 'fastify'
import type { App } from './http.ts'

export type DocsPageOptions = { jsonPath: string; docsPath: string; title: string }

/** Headers of the inner answer that the browser needs. */
const PASSED_HEADERS = ['content-type', 'location', 'etag', 'cache-control'] as const

/** Registers the page's routes on the root app; the page itself lives in a small app of its own behind them. */
export function serveDocsPage(root: App, options: DocsPageOptions): void {
  let page: Promise<FastifyInstance> | undefined
  for (const path of [options.docsPath, `${options.docsPath}/js/scalar.js`]) {
    root.get(path, { schema: { hide: true } }, async (_request, reply) => {
      page ??= openPage(options)
      const isBare = path === options.docsPath
      const answer = await (await page).inject({ method: 'GET', url: isBare ? `${path}/` : path })
      for (const name of PASSED_HEADERS) if (answer.headers[name] !== undefined) reply.header(name, answer.headers[name])
      // The page names its script relative to itself, which without the slash at the end would be relative to its parent.
      const body = isBare ? answer.payload.replace('<head>', `<head><base href="${path}/">`) : answer.rawPayload
      return reply.code(answer.statusCode).send(body)
    })
  }
}

async function openPage({ jsonPath, docsPath, title }: DocsPageOptions): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify({ logger: false })
  await app.register(scalar, {
    routePrefix: docsPath as `/${string}`,
    configuration: {
      url: jsonPath,
      pageTitle: title,
      // No request leaves the machine: no web fonts, no telemetry, none of the vendor's hosted tools.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      documentDownloadType: 'both',
      persistAuth: true,
    } as never,
  })
  await app.ready()
  return app
}
