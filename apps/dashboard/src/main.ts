import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { loadLanguage } from './text/load-language.ts'

/**
 * Modules of pages hold texts, so they are evaluated after the texts are there. Not by an await at the top of this module: the pages share a file with
 * modules that this one needs, and each would wait for the other.
 */
async function start(root: HTMLElement): Promise<void> {
  await loadLanguage()
  const { App } = await import('./app.tsx')
  createRoot(root).render(createElement(App))
}

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')
start(root)
