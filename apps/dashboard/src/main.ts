import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { loadLanguage } from './text/load-language.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')
// Modules of pages hold texts, so they are evaluated after the texts are there.
await loadLanguage()
const { App } = await import('./app.tsx')
createRoot(root).render(createElement(App))
