// What the dashboard's map is drawn from.

import { type Static, Type } from 'typebox'
import { nullable } from '../wire-fields.ts'

export const MapSources = Type.Object(
  {
    kind: Type.Enum(['built_in', 'style', 'pmtiles', 'raster'], {
      type: 'string',
      description:
        '`built_in`: coasts, borders and towns, without streets. `style`: a MapLibre style. `pmtiles`: a PMTiles file in the Protomaps schema. ' +
        '`raster`: images by `{z}`, `{x}` and `{y}`.',
    }),
    url: nullable(Type.String({ description: 'Of the style, the file or an image; a path is one of this service. Null for `built_in`.' })),
    darkUrl: nullable(Type.String({ description: 'Of the style for dark pages, where there is one.' })),
    attribution: nullable(Type.String({ description: 'Whose map it is, to be shown on it as text.' })),
  },
  {
    title: 'MapSources',
    description: 'Where the streets come from.',
    examples: [{ kind: 'style', url: 'https://tiles.example.com/styles/liberty', darkUrl: null, attribution: null }],
  },
)
export type MapSources = Static<typeof MapSources>
