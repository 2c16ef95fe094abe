import { Alert, Button, CopyButton, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCreateCalendarLink, useRemoveCalendarLink } from '../api/maintenance-queries.ts'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { VehicleField } from './work-fields.tsx'

/** The link that calendar programs follow. It opens the calendar of one vehicle to whoever has it, so it is shown once. */
export function CalendarSubscription({ vehicleId: suggested, onClose }: { vehicleId: string | undefined; onClose: () => void }) {
  const create = useCreateCalendarLink()
  const remove = useRemoveCalendarLink()
  const [vehicleId, setVehicleId] = useState(suggested ?? null)
  const choose = (chosen: string | null) => {
    create.reset()
    remove.reset()
    setVehicleId(chosen)
  }
  const url = create.data?.url
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title>{t('Subscribe to a calendar')}</Modal.Title>
          <Modal.CloseButton aria-label={t('Close')} />
        </Modal.Header>
        <Modal.Body>
          <Stack gap="sm">
            <VehicleField value={vehicleId} onChange={choose} />
            <Contents />
            {url !== undefined && <LinkShown url={url} />}
            {remove.data !== undefined && url === undefined && (
              <Alert color="blue" role="status">
                {remove.data.revoked ? t('The link is removed. Calendars that follow it find nothing any more.') : t('There was no link.')}
              </Alert>
            )}
            <Refusal error={create.error ?? remove.error} />
            <Group justify="space-between" gap="xs">
              <Button
                variant="default"
                c="red"
                disabled={vehicleId === null}
                loading={remove.isPending}
                onClick={() => {
                  create.reset()
                  if (vehicleId !== null) remove.mutate(vehicleId)
                }}
              >
                {t('Remove the link')}
              </Button>
              <Button
                disabled={vehicleId === null}
                loading={create.isPending}
                onClick={() => {
                  remove.reset()
                  if (vehicleId !== null) create.mutate(vehicleId)
                }}
              >
                {url === undefined ? t('Create a link') : t('Replace the link')}
              </Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function Contents() {
  return (
    <>
      <Text size="sm">
        {t(
          'A vehicle has one link. A new one takes the place of the one before, which stops working. Whoever has it can read the calendar.',
        )}
      </Text>
      <List size="sm">
        <List.Item>{t('Planned work that has a day')}</List.Item>
        <List.Item>{t('When each schedule is due, or expected to be')}</List.Item>
        <List.Item>{t('Nothing else of the vehicle, and nothing of others')}</List.Item>
      </List>
    </>
  )
}

function LinkShown({ url }: { url: string }) {
  return (
    <>
      <TextInput
        label={t('Link, shown this once')}
        value={url}
        readOnly
        data-autofocus
        classNames={{ input: 'secret' }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group gap="xs">
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Button variant="default" size="sm" onClick={copy}>
              {copied ? t('Copied') : t('Copy')}
            </Button>
          )}
        </CopyButton>
        {/* By this scheme a calendar program subscribes; by that of the link it would copy the entries once. */}
        <Button variant="default" size="sm" component="a" href={url.replace(/^https?:/, 'webcal:')}>
          {t('Open in the calendar program')}
        </Button>
      </Group>
    </>
  )
}
