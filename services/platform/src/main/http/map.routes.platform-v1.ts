import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { MapSources } from '@roadworthy/contracts/platform-v1/map'
import type { ServedMap } from '../settings/map-settings.ts'

/** Asked by whoever may see vehicles: addresses of map providers often carry a key. */
export function mapPlatformRoutes({ streets }: ServedMap): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/map',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'getMapSources',
          summary: 'Where the streets of the map come from',
          description: 'As the operator of the service has set it for all: MAP_STYLE_URL, MAP_PMTILES_URL or MAP_RASTER_URL.',
          tags: ['Vehicles'],
          response: { 200: MapSources, ...errorResponses() },
        },
      },
      async () => ({
        kind: streets?.kind ?? ('built_in' as const),
        url: streets?.url ?? null,
        darkUrl: streets?.darkUrl ?? null,
        attribution: streets?.attribution ?? null,
      }),
    )
  }
}
