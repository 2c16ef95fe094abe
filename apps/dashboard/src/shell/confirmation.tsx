import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { t } from '../text/translate.ts'
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
export function Confirmation({ title, text, label, color, change, isReady = true, onConfirm, onClose, children }: ConfirmationProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) onConfirm()
  }
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content>
        {/* Else it counts as the header of the page. */}
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={t('Close')} />
        </Modal.Header>
        <Modal.Body>
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
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
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
