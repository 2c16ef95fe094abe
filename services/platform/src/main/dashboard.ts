// The dashboard's pages at `/`: files that were built before, and for every address of its own the one page that finds out what to show.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { pageHeaders } from '@roadworthy/service-kit/docs-page'
import type { App } from '@roadworthy/service-kit/http'
import type { FastifyReply, FastifyRequest } from 'fastify'

export const DASHBOARD_DIST = join(import.meta.dirname, '../../../../apps/dashboard/dist')

/** Nothing from elsewhere is loaded or asked. Mantine sets styles on elements, and MapLibre draws into blobs and runs a worker. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Names that belong to the APIs: an unknown address below one of them is told in the words of its surface. */
const NOT_PAGES = /^\/(api|docs|openapi|assets|livez|readyz|metrics|broker-auth)(\/|\?|$)/

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Roadworthy</title>
<body style="font-family: system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; line-height: 1.5">
<h1>The dashboard is not built</h1><p>The APIs run. To build the dashboard, run this in Roadworthy's folder and load the page again:</p>
<pre><code>npm run build --workspace apps/dashboard</code></pre><p>The API is described at <a href="/docs">/docs</a>.</p></body></html>
`

/** Call before any route, so that addresses which no route knows come by here. */
export async function serveDashboard(root: App, dist: string): Promise<void> {
  await root.register(fastifyStatic, {
    root: join(dist, 'assets'),
    prefix: '/assets/',
    // Their names change with their content.
    maxAge: '365d',
    immutable: true,
    preCompressed: true,
    index: false,
    // It may be built while the service runs.
    logLevel: 'error',
    schemaHide: true,
  })
  root.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && isPage(request)) sendPage(reply, dist)
    else done()
  })
}

function isPage({ method, url, headers }: FastifyRequest): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || NOT_PAGES.test(url)) return false
  return url === '/' || (headers.accept ?? '').includes('text/html')
}

function sendPage(reply: FastifyReply, dist: string): void {
  reply.headers({ ...pageHeaders(CONTENT_SECURITY_POLICY), 'cache-control': 'no-cache' })
  if (existsSync(join(dist, 'index.html'))) reply.sendFile('index.html', dist, { cacheControl: false, immutable: false })
  else reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT)
}
