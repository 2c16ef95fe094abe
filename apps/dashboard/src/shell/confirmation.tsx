import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { t } from '../text/translate.ts'
import { DialogFrame } from './dialog-frame.tsx'
import { useIsOpenerGone } from './dialogs.tsx'
import { Refusal } from './refusal.tsx'

type ConfirmationProps = {
  title: string
  /** What it means, before it is done. */
  text: string
  label: string
  color?: 'red' | undefined
  change: { isPending: boolean; error: Error | null }
  /** False while something that the action needs is missing. */
  isReady?: boolean
  onConfirm: () => void
  onClose: () => void
  children?: ReactNode
}

/** Asked before an action. It stays open with the reason when the action is refused. */
export function Confirmation({ title, ...asked }: ConfirmationProps) {
  return (
    <DialogFrame title={title} onClose={asked.onClose}>
      <ConfirmationForm {...asked} />
    </DialogFrame>
  )
}

/** For a dialog that shows something else once it was confirmed. */
export function ConfirmationForm({
  text,
  label,
  color,
  change,
  isReady = true,
  onConfirm,
  onClose,
  children,
}: Omit<ConfirmationProps, 'title'>) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) onConfirm()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">{text}</Text>
        {children}
        {!change.isPending && change.error === null && <OpenerGone />}
        <Refusal error={change.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={change.isPending} disabled={!isReady} {...(color === undefined ? {} : { color })}>
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Else a person learns that only when the action is refused. */
function OpenerGone() {
  return (
    <div role="status">
      {useIsOpenerGone() && (
        <Alert color="orange">
          {t(
            'The page behind this does not show it any more: somebody else may have changed or deleted it. What you entered is still here.',
          )}
        </Alert>
      )}
    </div>
  )
}
