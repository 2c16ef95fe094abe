/** Dark to light is slow to fast, also for people who do not see colours well (viridis); the line has an edge, so that the light end shows on a light map. */
export const speedBands: readonly { readonly fromKmh: number; readonly color: string }[] = [
  { fromKmh: 0, color: '#3b528b' },
  { fromKmh: 30, color: '#21918c' },
  { fromKmh: 60, color: '#5ec962' },
  { fromKmh: 90, color: '#fde725' },
]

const UNKNOWN_SPEED = -1
export const UNKNOWN_SPEED_COLOR = '#868e96'

/** Index of the band, or `UNKNOWN_SPEED`. */
export function speedBandOf(speedKmh: number | null): number {
  return speedKmh === null ? UNKNOWN_SPEED : speedBands.findLastIndex(({ fromKmh }) => speedKmh >= fromKmh)
}
