import { useEffect } from 'react'

const SCHEME = 'data-mantine-color-scheme'

/** Paper is white: printed in dark colours, whose backgrounds a browser leaves out, words are too pale to be read. */
export function useLightPrint(): void {
  useEffect(() => {
    const root = document.documentElement
    let shown: string | null = null
    const lighten = () => {
      shown ??= root.getAttribute(SCHEME)
      root.setAttribute(SCHEME, 'light')
    }
    const restore = () => {
      if (shown !== null) root.setAttribute(SCHEME, shown)
      shown = null
    }
    addEventListener('beforeprint', lighten)
    addEventListener('afterprint', restore)
    return () => {
      removeEventListener('beforeprint', lighten)
      removeEventListener('afterprint', restore)
    }
  }, [])
}
