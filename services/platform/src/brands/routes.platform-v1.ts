import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  BrandAnswer,
  ChangeBrandRequest,
  LogoParams,
  logoContent,
  logoTypes,
  ShownBrand,
  SubClientBrandParams,
} from '@roadworthy/contracts/platform-v1/brands'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { FastifyRequest } from 'fastify'
import { authorOf } from '../audit/audit.ts'
import type { Caller } from '../keys/caller.ts'
import { DEFAULT_NAME } from './brand.ts'
import { changeBrand, changeLogo, notALogo, readBrand, removeLogo } from './change-brand.ts'
import { addInstallRoutes } from './install.routes.platform-v1.ts'
import { createPublicBrands, type PublicBrands } from './public-brands.ts'
import type { IsReservedHost } from './reserved-hosts.ts'
import type { BrandOwner } from './shown-brand.ts'
import { fromPlatformBrand, logoUrlOf, toPlatformBrand } from './wire-brand.ts'

export type BrandRoutesDeps = {
  readonly database: Database
  /** For what is asked before anybody has signed in. */
  readonly publicDatabase: Database
  readonly now: () => Date
  /** Where no brand of a reseller is shown: the hosts of the service itself. */
  readonly isReservedHost: IsReservedHost
  /** Whoever is signed in: they see their own brand wherever they are. */
  readonly findSignedIn: (request: FastifyRequest) => Promise<BrandOwner | undefined>
}

const MAX_LOGO_BYTES = 256 * 1024
/** As of keys and people: only full access can set what others are shown. */
const BRAND_SCOPE = '*'
const tags = ['Brand']

export function brandPlatformRoutes(deps: BrandRoutesDeps): FastifyPluginAsyncTypebox {
  const publicBrands = createPublicBrands(deps.publicDatabase, deps.isReservedHost, deps.now)
  return async (app) => {
    addPublicRoutes(app as App, deps, publicBrands)
    await app.register(async (own) => {
      own.addContentTypeParser([...logoTypes], { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      own.addContentTypeParser('*', (_request, _payload, done) => done(notALogo()))
      addLogoRoutes(own as App, deps, publicBrands)
    })
    addBrandRoutes(app as App, deps, publicBrands)
  }
}

/** Asked by the dashboard before anybody has signed in. */
function addPublicRoutes(app: App, { findSignedIn }: BrandRoutesDeps, publicBrands: PublicBrands): void {
  const shownBrandFor = async (request: FastifyRequest) => {
    const owner = (await findSignedIn(request)) ?? (await publicBrands.findHostOwner(request.hostname))
    return owner === undefined ? undefined : await publicBrands.shownBrandOf(owner)
  }
  app.get(
    '/brand',
    {
      config: { public: true },
      schema: {
        operationId: 'getShownBrand',
        summary: 'What the dashboard shows at this host name',
        description:
          'The brand of who is signed in; else of the host name that the request is for, where it is proved; else the service’s own.',
        tags,
        response: { 200: ShownBrand, ...errorResponses() },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-cache')
      const brand = await shownBrandFor(request)
      return {
        name: brand?.name ?? DEFAULT_NAME,
        colour: brand?.colour ?? null,
        logoUrl: logoUrlOf(brand?.logoSha256Hex),
        supportEmail: brand?.supportEmail ?? null,
        supportUrl: brand?.supportUrl ?? null,
      }
    },
  )
  addInstallRoutes(app, shownBrandFor)
  app.get(
    '/brand/logos/:sha256',
    {
      config: { public: true },
      schema: {
        operationId: 'getLogo',
        summary: 'The image of a logo',
        tags,
        params: LogoParams,
        response: { 200: { description: 'The image.', content: logoContent }, ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      const logo = await publicBrands.findLogo(request.params.sha256)
      if (logo === undefined) throw new Problem('not_found', 'There is no such logo.')
      // It comes from a stranger: nobody is to take it for anything but an image, even when it is opened by itself.
      reply.headers({
        'content-type': logo.contentType,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      return reply.send(logo.image)
    },
  )
}

const answers = { 200: BrandAnswer, ...errorResponses(404, 409) }

function addBrandRoutes(app: App, deps: BrandRoutesDeps, publicBrands: PublicBrands): void {
  const { database, now } = deps
  const read = async (caller: Caller, subClientId?: string) => ({ brand: toPlatformBrand(await readBrand(database, caller, subClientId)) })
  const write = async (request: FastifyRequest, body: ChangeBrandRequest, subClientId?: string) => {
    const brand = await changeBrand(deps, request.caller, subClientId, fromPlatformBrand(body), authorOf(request, now()))
    publicBrands.forgetAll()
    return { brand: toPlatformBrand(brand) }
  }
  const params = SubClientBrandParams
  const description = 'What is left out is unset: a sub-client inherits it. The logo is set by itself.'
  app.get(
    '/brands/reseller',
    {
      config: { scope: BRAND_SCOPE },
      schema: { operationId: 'getResellerBrand', summary: 'Get the brand of the reseller', tags, response: answers },
    },
    async ({ caller }) => read(caller),
  )
  app.put(
    '/brands/reseller',
    {
      config: { scope: BRAND_SCOPE },
      schema: {
        operationId: 'putResellerBrand',
        summary: 'Set the brand of the reseller',
        description,
        tags,
        body: ChangeBrandRequest,
        response: answers,
      },
    },
    async (request) => write(request, request.body),
  )
  app.get(
    '/brands/sub-clients/:subClientId',
    {
      config: { scope: BRAND_SCOPE },
      schema: { operationId: 'getSubClientBrand', summary: 'Get the brand of a sub-client', tags, params, response: answers },
    },
    async ({ caller, params: { subClientId } }) => read(caller, subClientId),
  )
  app.put(
    '/brands/sub-clients/:subClientId',
    {
      config: { scope: BRAND_SCOPE },
      schema: {
        operationId: 'putSubClientBrand',
        summary: 'Set the brand of a sub-client',
        description,
        tags,
        params,
        body: ChangeBrandRequest,
        response: answers,
      },
    },
    async (request) => write(request, request.body, request.params.subClientId),
  )
}

function addLogoRoutes(app: App, { database, now }: BrandRoutesDeps, publicBrands: PublicBrands): void {
  const params = SubClientBrandParams
  const body = { content: logoContent }
  const description = 'PNG, JPEG or WebP of at most 256 KiB. SVG is not taken: it can carry scripts.'
  const write = async (request: FastifyRequest, subClientId?: string) => {
    const brand = await changeLogo(database, request.caller, subClientId, request.body, authorOf(request, now()))
    publicBrands.forgetAll()
    return { brand: toPlatformBrand(brand) }
  }
  const remove = async (request: FastifyRequest, subClientId?: string) => {
    const brand = await removeLogo(database, request.caller, subClientId, authorOf(request, now()))
    publicBrands.forgetAll()
    return { brand: toPlatformBrand(brand) }
  }
  app.put(
    '/brands/reseller/logo',
    {
      bodyLimit: MAX_LOGO_BYTES,
      config: { scope: BRAND_SCOPE },
      schema: { operationId: 'putResellerLogo', summary: 'Set the logo of the reseller', description, tags, body, response: answers },
    },
    async (request) => write(request),
  )
  app.delete(
    '/brands/reseller/logo',
    {
      config: { scope: BRAND_SCOPE },
      schema: { operationId: 'removeResellerLogo', summary: 'Remove the logo of the reseller', tags, response: answers },
    },
    async (request) => remove(request),
  )
  app.put(
    '/brands/sub-clients/:subClientId/logo',
    {
      bodyLimit: MAX_LOGO_BYTES,
      config: { scope: BRAND_SCOPE },
      schema: {
        operationId: 'putSubClientLogo',
        summary: 'Set the logo of a sub-client',
        description,
        tags,
        params,
        body,
        response: answers,
      },
    },
    async (request) => write(request, request.params.subClientId),
  )
  app.delete(
    '/brands/sub-clients/:subClientId/logo',
    {
      config: { scope: BRAND_SCOPE },
      schema: { operationId: 'removeSubClientLogo', summary: 'Remove the logo of a sub-client', tags, params, response: answers },
    },
    async (request) => remove(request, request.params.subClientId),
  )
}
