// Settings of the street map, and which other hosts the pages may ask for it.

import { join } from 'node:path'
import type { SettingProblem } from '@roadworthy/service-kit/process/settings'
import { type Static, type TObject, Type } from 'typebox'

/** Files of the folder DATA_DIR/map are served below it. */
export const MAP_FILES_PREFIX = '/map/'

const url = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 1000,
      description: `${description} https, or a path of this service: /map/… is a file in DATA_DIR/map.`,
      defaultText: 'the built-in map without streets',
      example,
    }),
  )

/** Part of the platform's settings. */
export const mapSettings = {
  mapStyleUrl: url('Street map of the dashboard: a MapLibre style.', 'https://tiles.openfreemap.org/styles/liberty'),
  mapStyleDarkUrl: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 1000,
      description: 'The style in place of MAP_STYLE_URL where the dashboard is dark.',
      defaultText: 'MAP_STYLE_URL',
      example: 'https://tiles.openfreemap.org/styles/dark',
    }),
  ),
  mapPmtilesUrl: url('Street map of the dashboard: a PMTiles file in the Protomaps schema.', '/map/streets.pmtiles'),
  mapRasterUrl: url('Street map of the dashboard: images by {z}, {x} and {y}.', 'https://tiles.example.com/{z}/{x}/{y}.png'),
  mapAttribution: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'Whose map it is, as text on the map. Needed with MAP_RASTER_URL.',
      defaultText: 'the attribution of the style or the PMTiles file',
      example: '© OpenStreetMap contributors',
    }),
  ),
  mapHosts: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description:
        'Other hosts that the style loads tiles, fonts and images from, separated by commas. Pages may ask no host that is not named.',
      defaultText: 'the host of the street map',
      example: 'tiles.example.com,fonts.example.com',
    }),
  ),
}

export type MapSettings = Static<TObject<typeof mapSettings>>

/** Where the dashboard's streets come from. */
export type StreetMap = {
  readonly kind: 'style' | 'pmtiles' | 'raster'
  readonly url: string
  readonly darkUrl: string | undefined
  readonly attribution: string | undefined
}

export type ServedMap = {
  /** Undefined: the built-in map, which has none. */
  readonly streets: StreetMap | undefined
  /** Other origins that pages may ask for it. */
  readonly origins: readonly string[]
  /** Folder of files of it; undefined: nothing comes from here. */
  readonly dir: string | undefined
}

export const BUILT_IN_MAP: ServedMap = { streets: undefined, origins: [], dir: undefined }

export function servedMapOf(settings: MapSettings & { readonly dataDir: string }): ServedMap {
  const dir = hasMapFiles(settings) ? join(settings.dataDir, 'map') : undefined
  return { streets: streetMapOf(settings), origins: mapOriginsOf(settings), dir }
}

function streetMapOf(settings: MapSettings): StreetMap | undefined {
  const { mapStyleUrl, mapStyleDarkUrl: darkUrl, mapPmtilesUrl, mapRasterUrl, mapAttribution: attribution } = settings
  if (mapStyleUrl !== undefined) return { kind: 'style', url: mapStyleUrl, darkUrl, attribution }
  if (mapPmtilesUrl !== undefined) return { kind: 'pmtiles', url: mapPmtilesUrl, darkUrl: undefined, attribution }
  if (mapRasterUrl !== undefined) return { kind: 'raster', url: mapRasterUrl, darkUrl: undefined, attribution }
  return undefined
}

/** As sources of a content security policy. */
function mapOriginsOf(settings: MapSettings): string[] {
  const { mapStyleUrl, mapStyleDarkUrl, mapPmtilesUrl, mapRasterUrl } = settings
  const named = [mapStyleUrl, mapStyleDarkUrl, mapPmtilesUrl, mapRasterUrl].filter((each) => each !== undefined)
  const origins = named.filter((each) => !each.startsWith('/')).map((each) => new URL(each).origin)
  return [...new Set([...origins, ...listHosts(settings.mapHosts).map(originOfHost)])]
}

/** Settings among these that name a file in DATA_DIR/map, each with its path there. */
export function mapFilesOf(settings: MapSettings): { name: string; path: string }[] {
  const { mapStyleUrl, mapStyleDarkUrl, mapPmtilesUrl } = settings
  const named = { MAP_STYLE_URL: mapStyleUrl, MAP_STYLE_DARK_URL: mapStyleDarkUrl, MAP_PMTILES_URL: mapPmtilesUrl }
  return Object.entries(named).flatMap(([name, value]) =>
    value?.startsWith(MAP_FILES_PREFIX) ? [{ name, path: pathOf(value).slice(MAP_FILES_PREFIX.length) }] : [],
  )
}

function hasMapFiles(settings: MapSettings): boolean {
  return mapFilesOf(settings).length > 0 || settings.mapRasterUrl?.startsWith(MAP_FILES_PREFIX) === true
}

export function findMapContradictions(settings: MapSettings): SettingProblem[] {
  const { mapStyleUrl, mapStyleDarkUrl, mapPmtilesUrl, mapRasterUrl, mapAttribution, mapHosts } = settings
  const problems: SettingProblem[] = []
  const refuse = (name: string, value: string | undefined, fix: string) => problems.push({ name, value, source: 'settings', fix })
  const sources = { MAP_STYLE_URL: mapStyleUrl, MAP_PMTILES_URL: mapPmtilesUrl, MAP_RASTER_URL: mapRasterUrl }
  const given = Object.entries(sources).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
  for (const { name, value } of [
    ...given,
    ...(mapStyleDarkUrl === undefined ? [] : [{ name: 'MAP_STYLE_DARK_URL', value: mapStyleDarkUrl }]),
  ]) {
    const fix = wrongMapUrl(value)
    if (fix !== undefined) refuse(name, value, fix)
  }
  if (given.length > 1) {
    refuse(given[1]?.name ?? '', given[1]?.value, `${given[0]?.name} is set too, and there is one street map. Keep one of the two.`)
  }
  if (mapRasterUrl !== undefined) {
    const fix = wrongTemplate(mapRasterUrl)
    if (fix !== undefined) refuse('MAP_RASTER_URL', mapRasterUrl, fix)
    if (mapAttribution === undefined) {
      refuse(
        'MAP_ATTRIBUTION',
        undefined,
        'the images of MAP_RASTER_URL do not contain whose map they are. Name the owner, for example © OpenStreetMap contributors.',
      )
    }
  }
  if (mapStyleDarkUrl !== undefined && mapStyleUrl === undefined) {
    refuse('MAP_STYLE_URL', undefined, 'MAP_STYLE_DARK_URL is its dark version; set both, or none.')
  }
  const notHosts = listHosts(mapHosts).filter((host) => !isHost(host))
  if (notHosts.length > 0) {
    refuse(
      'MAP_HOSTS',
      mapHosts,
      `${notHosts.join(', ')}: not a host. Write it as tiles.example.com or tiles.example.com:8443, several separated by commas.`,
    )
  }
  if (given.length === 0 && (mapAttribution !== undefined || mapHosts !== undefined)) {
    const name = mapAttribution === undefined ? 'MAP_HOSTS' : 'MAP_ATTRIBUTION'
    refuse(
      name,
      mapAttribution ?? mapHosts,
      'there is no street map that it is for. Set MAP_STYLE_URL, MAP_PMTILES_URL or MAP_RASTER_URL, or take it away.',
    )
  }
  return problems
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Why a browser could not load it from a page of this service; undefined where it can. */
function wrongMapUrl(text: string): string | undefined {
  if (/[\s"'<>\\]/.test(text)) return 'it has a character that no address has. Encode it, as %20 for a space.'
  if (text.startsWith('/') && !text.startsWith('//')) {
    return pathOf(text).split('/').includes('..') ? 'it leads out of its folder (..). Name the file itself.' : undefined
  }
  if (!URL.canParse(text))
    return 'it is no address. Write it as https://tiles.example.com/style.json, or as /map/style.json for a file in DATA_DIR/map.'
  const { protocol, hostname, username, password } = new URL(text)
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname))) {
    return 'browsers load maps over https only (http is for this machine, to try something). Write https://….'
  }
  if (username !== '' || password !== '') return 'browsers refuse an address with a password in it. Take it out.'
  return undefined
}

function wrongTemplate(text: string): string | undefined {
  const names = [...text.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)
  if (names.includes('s')) return 'no map replaces {s}. Name one host.'
  const missing = ['z', 'x', 'y'].filter((name) => !names.includes(name))
  if (missing.length === 0) return undefined
  return `it lacks ${missing.map((name) => `{${name}}`).join(', ')}, where zoom, column and row of an image stand.`
}

function pathOf(text: string): string {
  const [path = ''] = text.split(/[?#]/)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function listHosts(text: string | undefined): string[] {
  return (text ?? '').split(',').flatMap((host) => (host.trim() === '' ? [] : [host.trim()]))
}

function isHost(text: string): boolean {
  if (/[\s;,'"*]|:$/.test(text) || !URL.canParse(withScheme(text))) return false
  const { protocol, hostname, username, pathname, search, hash } = new URL(withScheme(text))
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
  return isAllowed && username === '' && pathname === '/' && search === '' && hash === ''
}

function originOfHost(host: string): string {
  return new URL(withScheme(host)).origin
}

function withScheme(host: string): string {
  return host.includes('://') ? host : `https://${host}`
}
