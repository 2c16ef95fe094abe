import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../text/translate.ts'

type DialogFrameProps = { title: string; onClose: () => void; children: ReactNode }

export function DialogFrame({ title, onClose, children }: DialogFrameProps) {
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content>
        {/* Else it counts as the header of the page. */}
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={t('Close')} />
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
