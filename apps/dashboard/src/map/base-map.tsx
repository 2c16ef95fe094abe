import 'maplibre-gl/dist/maplibre-gl.css'
import { Button, useComputedColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type LngLatBounds, Map as MapLibre, NavigationControl, setWorkerUrl } from 'maplibre-gl'
// MapLibre 6 looks for its worker at an address that only exists before bundling; this one exists after it.
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { useEffect, useRef, useState } from 'react'
import { mapSourcesQuery } from '../api/map-queries.ts'
import { Message } from '../shell/message.tsx'
import { t } from '../text/translate.ts'
import type { Scheme } from './base-style.ts'
import { type BaseStyle, loadBaseStyle, loadBuiltInStyle } from './load-base-style.ts'
import { keepOverlay } from './overlay.ts'
import { watchStreets } from './watch-streets.ts'

setWorkerUrl(workerUrl)

type BaseMapProps = {
  /** What is in view at first; where it is empty, the world. */
  bounds: LngLatBounds
  /** Called with the map when something can be laid over it (`overlay.ts`), and with nothing before it is taken away. */
  onOpen: (map: MapLibre | undefined) => void
}

const FIRST_ZOOM = 9
const PADDING = 70
/** From here on the built-in map has little to show. */
const STREETS_WANTED_ZOOM = 9.5

type Opened = { readonly map: MapLibre; readonly base: BaseStyle; readonly scheme: Scheme }

/** The map that everything else lies over: streets where the operator has set them, the built-in one otherwise and when they do not come. */
export function BaseMap({ bounds, onOpen }: BaseMapProps) {
  const scheme = useComputedColorScheme('light')
  const sources = useQuery(mapSourcesQuery)
  const container = useRef<HTMLDivElement>(null)
  const [isPossible] = useState(hasWebGl2)
  const [opened, setOpened] = useState<Opened>()
  const [attempt, setAttempt] = useState(0)
  const latest = useRef({ bounds, onOpen, scheme })
  latest.current = { bounds, onOpen, scheme }
  const wanted = sources.data ?? null

  // Streets are asked for before the map is made, so that the built-in one is not loaded and seen for a moment.
  useEffect(() => {
    const element = container.current
    if (sources.isPending || element === null) return undefined
    const abort = new AbortController()
    let map: MapLibre | undefined
    const first = latest.current.scheme
    void loadBaseStyle(wanted, first, abort.signal).then((base) => {
      if (abort.signal.aborted) return
      const made = createMap(element, base, latest.current.bounds)
      map = made
      setOpened({ map: made, base, scheme: first })
      made.once('style.load', () => latest.current.onOpen(made))
    })
    return () => {
      abort.abort()
      latest.current.onOpen(undefined)
      setOpened(undefined)
      map?.remove()
    }
  }, [sources.isPending, wanted])

  // Another colour scheme, or another attempt at streets.
  useEffect(() => {
    if (opened === undefined || (opened.scheme === scheme && attempt === 0)) return undefined
    const abort = new AbortController()
    void loadBaseStyle(wanted, scheme, abort.signal).then((base) => {
      if (abort.signal.aborted) return
      setAttempt(0)
      show(opened.map, base)
      setOpened({ ...opened, base, scheme })
    })
    return () => abort.abort()
  }, [opened, scheme, attempt, wanted])

  useEffect(() => {
    if (opened?.base.kind !== 'streets') return undefined
    return watchStreets(opened.map, opened.base.withinMs, () => {
      void loadBuiltInStyle(opened.scheme).then((builtIn) => {
        const base: BaseStyle = { ...builtIn, kind: 'fallback' }
        show(opened.map, base)
        setOpened({ ...opened, base })
      })
    })
  }, [opened])

  if (!isPossible)
    return <Message title={t('No map in this browser')}>{t('It needs WebGL 2. The list has everything that the map shows.')}</Message>
  return (
    <div className="map-frame">
      <div ref={container} className="map" data-base={opened?.base.kind} />
      {opened !== undefined && <BaseNotes opened={opened} onRetry={() => setAttempt((count) => count + 1)} />}
    </div>
  )
}

/** Why there are no streets. */
function BaseNotes({ opened: { map, base }, onRetry }: { opened: Opened; onRetry: () => void }) {
  const [isNear, setNear] = useState(() => map.getZoom() >= STREETS_WANTED_ZOOM)
  useEffect(() => {
    const onZoom = () => setNear(map.getZoom() >= STREETS_WANTED_ZOOM)
    map.on('zoom', onZoom)
    return () => {
      map.off('zoom', onZoom)
    }
  }, [map])
  if (base.kind === 'fallback') {
    return (
      <div className="map-note" role="status">
        {t('The street map did not load. This is the built-in map.')}{' '}
        <Button size="compact-xs" variant="subtle" onClick={onRetry}>
          {t('Try again')}
        </Button>
      </div>
    )
  }
  if (base.kind === 'streets' || !isNear) return null
  return <div className="map-note">{t('This map has no streets. Whoever runs the service can add them with MAP_STYLE_URL.')}</div>
}

function createMap(container: HTMLElement, base: BaseStyle, bounds: LngLatBounds): MapLibre {
  const map = new MapLibre({
    container,
    style: base.style,
    maxZoom: base.maxZoom,
    dragRotate: false,
    pitchWithRotate: false,
    attributionControl: { compact: false },
    ...(bounds.isEmpty() ? { center: [10, 30], zoom: 1.4 } : { bounds, fitBoundsOptions: { padding: PADDING, maxZoom: FIRST_ZOOM } }),
  })
  map.touchZoomRotate.disableRotation()
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  // Without a listener MapLibre writes each failed tile to the console; what comes of them is decided in watch-streets.ts.
  map.on('error', () => undefined)
  // Tests wait for it; a timeout would guess.
  map.on('idle', () => {
    container.dataset['idle'] = 'true'
  })
  return map
}

function show(map: MapLibre, base: BaseStyle): void {
  map.setMaxZoom(base.maxZoom)
  map.setStyle(base.style, { diff: false, transformStyle: keepOverlay })
}

function hasWebGl2(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null
}
