// The dashboard as an app of a brand: asked by browsers, before anybody has signed in too.

import { AppManifest } from '@roadworthy/contracts/platform-v1/brands'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import type { App } from '@roadworthy/service-kit/http/http'
import type { FastifyRequest } from 'fastify'
import { appIcon, appManifest } from './app-manifest.ts'
import { DEFAULT_NAME } from './brand.ts'
import type { ShownBrand } from './shown-brand.ts'

type FindBrand = (request: FastifyRequest) => Promise<ShownBrand | undefined>

export function addInstallRoutes(app: App, shownBrandFor: FindBrand): void {
  app.get(
    '/brand/manifest.webmanifest',
    {
      config: { public: true },
      schema: {
        operationId: 'getAppManifest',
        summary: 'What a browser needs to install the dashboard',
        description: 'A web application manifest with the name and the colour of the brand that `/brand` shows.',
        tags: ['Brand'],
        response: {
          200: { description: 'The manifest.', content: { 'application/manifest+json': { schema: AppManifest } } },
          ...errorResponses(),
        },
      },
    },
    async (request, reply) => {
      const brand = await shownBrandFor(request)
      reply.headers({ 'cache-control': 'no-cache', 'content-type': 'application/manifest+json; charset=utf-8' })
      return appManifest({ name: brand?.name ?? DEFAULT_NAME, colour: brand?.colour ?? null })
    },
  )
  app.get(
    '/brand/icon.svg',
    {
      config: { public: true },
      schema: {
        operationId: 'getAppIcon',
        summary: 'The icon of the installed dashboard',
        tags: ['Brand'],
        response: {
          200: {
            description: 'The image.',
            content: { 'image/svg+xml': { schema: { type: 'string', examples: ['<svg xmlns="http://www.w3.org/2000/svg"/>'] } } },
          },
          ...errorResponses(),
        },
      },
    },
    async (request, reply) => {
      const brand = await shownBrandFor(request)
      reply.headers({
        'content-type': 'image/svg+xml',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      return reply.send(appIcon({ name: brand?.name ?? DEFAULT_NAME, colour: brand?.colour ?? null }, brand?.name === undefined))
    },
  )
}
