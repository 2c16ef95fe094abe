import { ActionIcon } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { lazy, Suspense, useState } from 'react'
import { SearchIcon } from '../shell/icons.tsx'
import { withTexts } from '../text/load-language.ts'
import { t } from '../text/translate.ts'

const Palette = lazy(withTexts(async () => ({ default: (await import('./palette.tsx')).Palette })))

/** Opens the command palette, by a click or by Ctrl+K. It is loaded when it is opened for the first time. */
export function PaletteButton({ session }: { session: Session }) {
  const [isOpen, setIsOpen] = useState(false)
  // Also from within a field: the keys are no text.
  useHotkeys([['mod+K', () => setIsOpen(true)]], [])
  return (
    <>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('Search and commands')}
        title={t('Search and commands (Ctrl+K)')}
        aria-keyshortcuts="Control+K"
        onClick={() => setIsOpen(true)}
      >
        <SearchIcon />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <Palette session={session} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
