import { setRecogniser } from '../said/said.ts'
import { language, units } from './preferences.ts'
import { setTexts } from './translate.ts'

const loaders = {
  en: async () => ({ texts: {} }),
  de: () => import('#languages/de'),
  es: () => import('#languages/es'),
}

/** Call before a module with pages is loaded. Without its file, the page is shown in English rather than not at all. */
export async function loadLanguage(): Promise<void> {
  document.documentElement.lang = language
  try {
    const { texts } = await loaders[language]()
    setTexts(texts)
    // After the texts: it holds some. What the service says is in English and metric units already.
    if (language !== 'en' || units !== 'metric') setRecogniser((await import('../said/recognise.ts')).recognise)
  } catch (error) {
    document.documentElement.lang = 'en'
    console.warn('The texts of the language could not be loaded.', error)
  }
}
