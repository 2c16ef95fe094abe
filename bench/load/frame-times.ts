// How smooth a page is: the times between the frames that the browser draws.

import type { Page } from 'playwright-core'

/** Times between the frames that the browser draws while `act` is done. */
export async function measureFrames(page: Page, act: () => Promise<void>): Promise<object> {
  await page.evaluate(startFrames)
  await act()
  const gaps = (await page.evaluate(endFrames)).sort((a, b) => a - b)
  return { frames: gaps.length, p50Ms: quantile(gaps, 0.5), p95Ms: quantile(gaps, 0.95), longestMs: round(gaps.at(-1) ?? 0) }
}

type Framed = { frames: number[]; isCounting: boolean; requestAnimationFrame(draw: (atMs: number) => void): void }

/** Runs in the page, as the next one does. */
function startFrames(): void {
  const inPage = globalThis as unknown as Framed
  inPage.frames = []
  inPage.isCounting = true
  const draw = (atMs: number): void => {
    inPage.frames.push(atMs)
    if (inPage.isCounting) inPage.requestAnimationFrame(draw)
  }
  inPage.requestAnimationFrame(draw)
}

function endFrames(): number[] {
  const inPage = globalThis as unknown as Framed
  inPage.isCounting = false
  return inPage.frames.slice(1).map((atMs, index) => atMs - (inPage.frames[index] ?? atMs))
}

export function quantile(sorted: readonly number[], share: number): number {
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}
