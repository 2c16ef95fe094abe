import { Button, CopyButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../text/translate.ts'

type ShownOnceProps = { title: string; label: string; secret: string; onStored: () => void; children: ReactNode }

/** A secret that no later request returns. It closes by its own button only, so that a key pressed by chance does not lose it. */
export function ShownOnce({ title, label, secret, onStored, children }: ShownOnceProps) {
  return (
    <Modal.Root opened onClose={onStored} closeOnClickOutside={false} closeOnEscape={false}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
        </Modal.Header>
        <Modal.Body>
          <Stack gap="sm">
            <Text size="sm">{children}</Text>
            <TextInput
              label={label}
              value={secret}
              readOnly
              autoComplete="off"
              spellCheck={false}
              data-autofocus
              classNames={{ input: 'secret' }}
              onFocus={(event) => event.currentTarget.select()}
            />
            <Group justify="flex-end" gap="xs">
              <CopyButton value={secret}>
                {({ copied, copy }) => (
                  <Button variant="default" onClick={copy}>
                    {copied ? t('Copied') : t('Copy')}
                  </Button>
                )}
              </CopyButton>
              <Button onClick={onStored}>{t('I stored it')}</Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
