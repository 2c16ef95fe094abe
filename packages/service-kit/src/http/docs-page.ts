// The interactive page of an OpenAPI document. Its script is one text of 4 MB that costs 43 MB of memory once loaded (measured, Node
// 24), in a process where nobody may ever open the page: it is loaded by the first request.

import { createHash } from 'node:crypto'
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
      if (!isBare) return reply.code(answer.statusCode).send(answer.rawPayload)
      // The page names its script relative to itself, which without the slash at the end would be relative to its parent.
      const body = answer.payload.replace('<head>', `<head><base href="${path}/">`)
      return reply
        .code(answer.statusCode)
        .headers(pageHeaders(contentSecurityPolicy(body)))
        .send(body)
    })
  }
}

/** Beside the policy: older browsers protect against frames by X-Frame-Options only; no address of this service is sent elsewhere as a referrer. */
export function pageHeaders(policy: string): Record<string, string> {
  return { 'content-security-policy': policy, 'x-frame-options': 'DENY', 'referrer-policy': 'same-origin' }
}

/** Nothing from elsewhere is loaded, asked or framed. Scalar sets styles on elements; its one inline script is let in by its hash. */
function contentSecurityPolicy(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script)
  const hashes = inline.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  return [
    "default-src 'self'",
    `script-src ${["'self'", ...hashes].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
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
