// The dashboard's pages at `/`: files that were built before, and for every address of its own the one page that finds out what to show.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import { pageHeaders } from '@roadworthy/service-kit/http/docs-page'
import type { App } from '@roadworthy/service-kit/http/http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { BUILT_IN_MAP, MAP_FILES_PREFIX, type ServedMap } from '../settings/map-settings.ts'

export const DASHBOARD_DIST = join(import.meta.dirname, '../../../../../apps/dashboard/dist')

/** Nothing from elsewhere is loaded or asked but the street map. Mantine sets styles on elements, and MapLibre draws into blobs and runs a worker. */
function contentSecurityPolicy(mapOrigins: readonly string[]): string {
  const own = (...sources: string[]) => ["'self'", ...sources, ...mapOrigins].join(' ')
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src ${own('data:', 'blob:')}`,
    "worker-src 'self' blob:",
    `connect-src ${own()}`,
    ...(mapOrigins.length === 0 ? [] : [`font-src ${own()}`]),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Owners of tiles want to see which site asks, and some serve no others: they get the origin of the page and nothing else of its address. */
const REFERRER_TO_MAPS = 'strict-origin-when-cross-origin'

/** Names that belong to the APIs: an unknown address below one of them is answered in the words of its surface. */
const NOT_PAGES = /^\/((api|docs|openapi|assets|livez|healthz|readyz|metrics|broker-auth|acknowledge)(\/|\?|$)|map\/)/

/** At the root, so that it acts for every page: see `push-worker.js` of the dashboard. It loads and asks for nothing. */
const PUSH_WORKER = 'push-worker.js'
const WORKER_HEADERS = { ...pageHeaders("default-src 'none'"), 'cache-control': 'no-cache' }

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Roadworthy</title>
<body style="font-family: system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; line-height: 1.5">
<h1>The dashboard is not built</h1><p>The APIs run. To build the dashboard, run this in Roadworthy's folder and load the page again:</p>
<pre><code>npm run build --workspace apps/dashboard</code></pre><p>The API is described at <a href="/docs">/docs</a>.</p></body></html>
`

/** Call before any route, so that addresses which no route knows come by here. */
export async function serveDashboard(root: App, dist: string, map: ServedMap = BUILT_IN_MAP): Promise<void> {
  const headers = {
    ...pageHeaders(contentSecurityPolicy(map.origins)),
    ...(map.origins.length === 0 ? {} : { 'referrer-policy': REFERRER_TO_MAPS }),
    'cache-control': 'no-cache',
  }
  // For `sendFile`.
  await root.register(fastifyStatic, { root: dist, serve: false, preCompressed: true, logLevel: 'error' })
  await serveFiles(root, {
    root: join(dist, 'assets'),
    prefix: '/assets/',
    // Their names change with their content.
    maxAge: '365d',
    immutable: true,
    preCompressed: true,
    // It may be built while the service runs.
    logLevel: 'error',
  })
  if (map.dir !== undefined) await serveMapFiles(root, map.dir)
  root.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && isPushWorker(request, dist)) sendWhole(PUSH_WORKER, request, reply.headers(WORKER_HEADERS), dist)
    else if (request.is404 && isPage(request)) sendPage(request, reply.headers(headers), dist)
    else done()
  })
}

function isPage({ method, url, headers }: FastifyRequest): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || NOT_PAGES.test(url)) return false
  return url === '/' || (headers.accept ?? '').includes('text/html')
}

function isPushWorker({ method, url }: FastifyRequest, dist: string): boolean {
  return (method === 'GET' || method === 'HEAD') && url === `/${PUSH_WORKER}` && existsSync(join(dist, PUSH_WORKER))
}

/** What asks for a part, or for nothing if it has changed, is ignored: its refusal would be an error of ours here. */
const IGNORED_HEADERS = ['range', 'if-match', 'if-unmodified-since']

function sendWhole(file: string, { raw }: FastifyRequest, reply: FastifyReply, dist: string): void {
  for (const name of IGNORED_HEADERS) delete raw.headers[name]
  reply.sendFile(file, dist, { cacheControl: false, immutable: false })
}

/** PMTiles are read piece by piece (HTTP Range). Whatever lies there, none of it is a page that could act for who is signed in. */
async function serveMapFiles(root: App, mapDir: string): Promise<void> {
  await serveFiles(root, {
    root: mapDir,
    prefix: MAP_FILES_PREFIX,
    maxAge: '1h',
    dotfiles: 'ignore',
    setHeaders: (reply) => reply.header('content-security-policy', "default-src 'none'; sandbox"),
  })
}

async function serveFiles(root: App, options: FastifyStaticOptions): Promise<void> {
  await root.register(async (app) => {
    app.setErrorHandler((error: FastifyError, _request, reply) => {
      // Not of our errors: a piece that lies beyond the end of the file (RFC 9110 §15.5.17).
      if (error.statusCode === 416) return reply.code(416).type('text/plain; charset=utf-8').send('The file is shorter.\n')
      // Nor is a condition that does not hold (§13.1.1).
      if (error.statusCode === 412) return reply.code(412).type('text/plain; charset=utf-8').send('The file is another.\n')
      // Not of our errors either: a path that leads out of the folder, and one that no file can have.
      if (error.statusCode === 403 || error.code === 'ENAMETOOLONG') return reply.callNotFound()
      throw error
    })
    await app.register(fastifyStatic, { ...options, decorateReply: false, index: false, schemaHide: true })
  })
}

function sendPage(request: FastifyRequest, reply: FastifyReply, dist: string): void {
  if (existsSync(join(dist, 'index.html'))) sendWhole('index.html', request, reply, dist)
  else reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT)
}
