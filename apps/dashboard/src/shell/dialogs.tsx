import { useRouter, useRouterState } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useEffect, useId, useMemo, useState } from 'react'

type Render = (close: () => void) => ReactNode

type Opened = {
  readonly dialog: ReactNode
  /** Of what opened it: a row, or the head of a page. */
  readonly opener: string
  readonly isOpenerGone: boolean
  /** The address that it was opened at. */
  readonly href: string
}

type Dialogs = {
  readonly open: (opener: string, render: Render) => void
  readonly note: (opener: string, isGone: boolean) => void
}

const DialogsContext = createContext<Dialogs | undefined>(undefined)
const OpenerGoneContext = createContext(false)

/**
 * Has the dialog that is open beside the pages, and not in the row that opened it: a row goes when somebody else deletes or changes its object, and what a
 * person had typed in the dialog would go with it. On the way to another address it is closed.
 */
export function DialogsOfPages({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState<Opened>()
  const router = useRouter()
  const href = useRouterState({ select: ({ location }) => location.href })
  const dialogs = useMemo<Dialogs>(
    () => ({
      open: (opener, render) => {
        const dialog = render(() => setOpened(undefined))
        setOpened({ dialog, opener, isOpenerGone: false, href: router.state.location.href })
      },
      note: (opener, isGone) =>
        setOpened((before) => (before?.opener === opener && before.isOpenerGone !== isGone ? { ...before, isOpenerGone: isGone } : before)),
    }),
    [router],
  )
  useEffect(() => setOpened((before) => (before?.href === href ? before : undefined)), [href])
  return (
    <DialogsContext value={dialogs}>
      {children}
      {opened !== undefined && <OpenerGoneContext value={opened.isOpenerGone}>{opened.dialog}</OpenerGoneContext>}
    </DialogsContext>
  )
}

/** Opens a dialog that stays when what opened it leaves the page. */
export function useDialog(): (render: Render) => void {
  const dialogs = use(DialogsContext)
  if (dialogs === undefined) throw new Error('useDialog is for what is within the pages')
  const opener = useId()
  const { open, note } = dialogs
  useEffect(() => {
    note(opener, false)
    return () => note(opener, true)
  }, [note, opener])
  return (render) => open(opener, render)
}

/** Whether what the dialog is about has left the page behind it. */
export function useIsOpenerGone(): boolean {
  return use(OpenerGoneContext)
}
