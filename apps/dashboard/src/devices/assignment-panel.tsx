import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { Device, DeviceChange } from '@roadworthy/contracts/platform-v1/devices'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useChangeDevice } from '../api/device-queries.ts'
import { useIsOfReseller } from '../session/use-session.ts'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { type AssignmentEdits, assignmentChanges } from './assignment.ts'
import { SubClientSelect, VehicleSelect } from './owner-selects.tsx'

/** What a person has chosen stays while the device reports meanwhile. */
export function AssignmentPanel({ device }: { device: Device }) {
  const change = useChangeDevice(device.id)
  const isOfReseller = useIsOfReseller()
  const [edits, setEdits] = useState<AssignmentEdits>({})
  const edit = (edited: AssignmentEdits) => {
    change.reset()
    setEdits({ ...edits, ...edited })
  }
  const changes: DeviceChange = assignmentChanges(device, edits)
  const isChanged = Object.keys(changes).length > 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged) change.mutate(changes, { onSuccess: () => setEdits({}) })
  }
  const subClientId = edits.subClientId === undefined ? device.subClientId : edits.subClientId
  const isMoving = changes.subClientId !== undefined && changes.vehicleId === undefined && device.vehicleId !== null
  return (
    <Panel title={t('Vehicle and sub-client')} actions={<VehicleLink device={device} />}>
      <form onSubmit={submit}>
        <Stack gap="xs">
          <TextInput
            label={t('Name')}
            maxLength={200}
            value={edits.name ?? device.name ?? ''}
            onChange={(event) => edit({ name: event.currentTarget.value })}
          />
          {isOfReseller && <SubClientSelect value={subClientId} onChange={(chosen) => edit({ subClientId: chosen })} />}
          <VehicleSelect
            value={edits.vehicleId === undefined ? device.vehicleId : edits.vehicleId}
            subClientId={subClientId}
            onChange={(chosen) => edit({ vehicleId: chosen })}
          />
          <TextInput
            label={t('SIM number')}
            maxLength={32}
            value={edits.simNumber ?? device.simNumber ?? ''}
            onChange={(event) => edit({ simNumber: event.currentTarget.value })}
          />
          {isMoving && (
            <Text size="sm" role="note">
              {t('A vehicle of the sub-client before stays there with its history; the device leaves it.')}
            </Text>
          )}
          <Refusal error={change.error} />
          <Group justify="flex-end" gap="sm">
            {change.isSuccess && (
              <Text size="sm" c="dimmed" role="status">
                {t('Saved')}
              </Text>
            )}
            <Button type="submit" size="sm" loading={change.isPending}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}

function VehicleLink({ device: { vehicle } }: { device: Device }) {
  if (vehicle === null) return null
  return (
    <Link to="/vehicles/$vehicleId" params={{ vehicleId: vehicle.id }}>
      {t('Go to the vehicle')}
    </Link>
  )
}
