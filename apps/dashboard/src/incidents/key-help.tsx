import { Kbd, Modal, Table } from '@mantine/core'
import { SingleKeysSwitch } from '../shell/single-keys-switch.tsx'
import { t } from '../text/translate.ts'

const keys: readonly (readonly [key: string, does: string])[] = [
  ['j', t('Next incident')],
  ['k', t('Previous incident')],
  ['Enter', t('Open the incident')],
  ['x', t('Select the incident, or not')],
  ['e', t('Acknowledge it, or all that are selected')],
  ['?', t('These keys')],
]

export function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title>{t('Keys on this page')}</Modal.Title>
          <Modal.CloseButton aria-label={t('Close')} />
        </Modal.Header>
        <Modal.Body>
          <Table>
            <Table.Tbody>
              {keys.map(([key, does]) => (
                <Table.Tr key={key}>
                  <Table.Td>
                    <Kbd>{key}</Kbd>
                  </Table.Td>
                  <Table.Td>{does}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <div className="key-switch">
            <SingleKeysSwitch />
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
