import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { settingsFor } from '../settings/settings-pages.ts'
import { groupsFor, type Page } from '../shell/pages.ts'
import { t } from '../text/translate.ts'

export type PageCommand = { readonly to: Page['to']; readonly label: string; readonly group: string }

/** Pages that this person finds in the navigation and in the settings, whose name or group has each of the words. */
export function pageCommands(session: Session, words: string): readonly PageCommand[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/)
  const pages = groupsFor(session).flatMap(({ label: group, pages }) => pages.map(({ to, label }) => ({ to, label, group })))
  const settings = settingsFor(session).map(({ to, label }) => ({ to, label, group: t('Settings') }))
  return [...pages, ...settings].filter(({ label, group }) => {
    const text = `${label} ${group}`.toLocaleLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
