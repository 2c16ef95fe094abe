import { setRecogniser } from '../said/said.ts'
import { language, units } from './preferences.ts'
import { addTexts, setTexts } from './translate.ts'

const none = async () => ({ texts: {} })
const loaders = {
  en: { pages: none, said: none },
  de: { pages: () => import('#languages/de'), said: () => import('#languages/de/said') },
  es: { pages: () => import('#languages/es'), said: () => import('#languages/es/said') },
}

/** Call before a module with pages is loaded. Without its file, the page is shown in English rather than not at all. */
export async function loadLanguage(): Promise<void> {
  document.documentElement.lang = language
  // What the service says is in English and metric units already.
  if (language !== 'en' || units !== 'metric') setRecogniser(loadRecogniser)
  try {
    setTexts((await loaders[language].pages()).texts)
  } catch (error) {
    document.documentElement.lang = 'en'
    console.warn('The texts of the language could not be loaded.', error)
  }
}

async function loadRecogniser() {
  const [{ texts }, { recognise }] = await Promise.all([loaders[language].said(), import('../said/recognise.ts')])
  addTexts(texts)
  return recognise
}
