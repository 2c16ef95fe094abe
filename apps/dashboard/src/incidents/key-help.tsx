import { Kbd, Modal, Table } from '@mantine/core'

const keys: readonly (readonly [key: string, does: string])[] = [
  ['j', 'Next incident'],
  ['k', 'Previous incident'],
  ['Enter', 'Open the incident'],
  ['x', 'Select the incident, or not'],
  ['e', 'Acknowledge it, or all that are selected'],
  ['?', 'These keys'],
]

export function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title>Keys on this page</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
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
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
