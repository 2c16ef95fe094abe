import { t } from '../text/translate.ts'
import { MAX_FILE_BYTES } from './import-rows.ts'

/** The text of a file, or why it cannot be read. */
export async function readText(file: Blob): Promise<{ readonly text: string } | { readonly problem: string }> {
  if (file.size > MAX_FILE_BYTES) return { problem: t('It is larger than 1 MB. Split it.') }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()) }
  } catch {
    return { problem: t('It is not a text in UTF-8. In a spreadsheet, save it as “CSV UTF-8”.') }
  }
}
