import { Alert, Button, Group, Text, Title } from '@mantine/core'
import type { CredentialsRotated, Device } from '@roadworthy/contracts/platform-v1/devices'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { deviceQuery, simOfDeviceQuery } from '../api/device-queries.ts'
import { usePageTitle } from '../brand/use-brand.ts'
import { useMayChange } from '../session/use-session.ts'
import { type Fact, Facts } from '../shell/facts.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { absoluteTime, sentenceCase, vehicleLabel } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { AssignmentPanel } from './assignment-panel.tsx'
import { CredentialsPanel, FirstMessage } from './credentials-panel.tsx'
import { DecommissionDialog, RotateDialog, SuspendDialog } from './device-dialogs.tsx'
import { DeviceStatusBadge, PresenceBadge } from './device-status.tsx'
import { typeLabel } from './register-form.ts'

export function DevicePage() {
  const { deviceId } = useParams({ from: '/devices/$deviceId' })
  const asked = useQuery(deviceQuery(deviceId))
  const mayChange = useMayChange()
  const [rotated, setRotated] = useState<CredentialsRotated>()
  usePageTitle(asked.data === undefined ? 'Device' : deviceLabel(asked.data))
  if (asked.data === undefined) return <NotLoaded asked={asked} what="device" isPage />
  const device = asked.data
  const isLiving = device.status !== 'decommissioned'
  return (
    <div className="page">
      <Head device={device} onRotated={setRotated} />
      {rotated !== undefined && <Rotated rotated={rotated} onStored={() => setRotated(undefined)} />}
      {isLiving && device.lastSeenAt === null && <FirstMessage deviceId={device.id} />}
      <div className="side-by-side">
        <ConnectionPanel device={device} />
        <div className="stack">
          {mayChange && isLiving ? <AssignmentPanel key={device.id} device={device} /> : <ShownAssignment device={device} />}
          <SimPanel deviceId={device.id} />
        </div>
      </div>
    </div>
  )
}

function deviceLabel({ name, imei, id }: Device): string {
  return name ?? imei ?? id
}

type DialogName = 'rotate' | 'suspend' | 'decommission'

function Head({ device, onRotated }: { device: Device; onRotated: (rotated: CredentialsRotated) => void }) {
  const [open, setOpen] = useState<DialogName>()
  const mayChange = useMayChange()
  const close = () => setOpen(undefined)
  const isSuspended = device.status === 'suspended'
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <Title order={1} size="h2" className="breaking">
          {deviceLabel(device)}
        </Title>
        <PresenceBadge device={device} />
        <DeviceStatusBadge status={device.status} />
      </Group>
      {mayChange && device.status !== 'decommissioned' && (
        <Group gap="xs">
          <Button size="sm" variant="default" onClick={() => setOpen('rotate')}>
            Rotate credentials
          </Button>
          <Button size="sm" variant="default" onClick={() => setOpen('suspend')}>
            {isSuspended ? 'Resume' : 'Suspend'}
          </Button>
          <Button size="sm" variant="default" c="red" onClick={() => setOpen('decommission')}>
            Decommission
          </Button>
        </Group>
      )}
      {open === 'rotate' && <RotateDialog device={device} onRotated={onRotated} onClose={close} />}
      {open === 'suspend' && <SuspendDialog device={device} onClose={close} />}
      {open === 'decommission' && <DecommissionDialog device={device} word={device.imei ?? device.name ?? device.id} onClose={close} />}
    </Group>
  )
}

function Rotated({ rotated, onStored }: { rotated: CredentialsRotated; onStored: () => void }) {
  return (
    <>
      <Alert color="blue" role="status">
        {rotated.previousValidUntil === null
          ? 'The password before no longer works.'
          : `The password before works until ${absoluteTime(rotated.previousValidUntil)}.`}
      </Alert>
      <CredentialsPanel credentials={rotated} label="Done" onStored={onStored} />
    </>
  )
}

function ConnectionPanel({ device }: { device: Device }) {
  const facts: readonly Fact[] = [
    ['Last message', <TimeAgo key="seen" time={device.lastSeenAt} />],
    ['Id', device.id],
    ['IMEI', device.imei ?? undefined],
    ['Kind', typeLabel(device.deviceType)],
    ['Connects by', device.connectionMethod.toUpperCase()],
    ['SIM number', device.simNumber ?? undefined],
    ['MQTT username', device.mqttUsername],
    ['MQTT topic', device.mqttTopic],
    ['Registered', <TimeAgo key="made" time={device.createdAt} />],
    ['Changed', <TimeAgo key="changed" time={device.updatedAt} />],
  ]
  return (
    <Panel title="Connection">
      <Facts facts={facts} />
    </Panel>
  )
}

function ShownAssignment({ device: { vehicle, subClientId } }: { device: Device }) {
  const shown =
    vehicle === null ? (
      'none'
    ) : (
      <Link key="vehicle" to="/vehicles/$vehicleId" params={{ vehicleId: vehicle.id }}>
        {vehicleLabel(vehicle)}
      </Link>
    )
  return (
    <Panel title="Vehicle and sub-client">
      <Facts
        facts={[
          ['Vehicle', shown],
          ['Sub-client', subClientId ?? 'none'],
        ]}
      />
    </Panel>
  )
}

function SimPanel({ deviceId }: { deviceId: string }) {
  const asked = useQuery(simOfDeviceQuery(deviceId))
  const sim = asked.data?.sims[0]
  return (
    <Panel title="SIM">
      {asked.data === undefined ? (
        <NotLoaded asked={asked} what="SIM" />
      ) : sim === undefined ? (
        <Text c="dimmed">None is known to be in this device. One whose number is the device’s SIM number is linked by itself.</Text>
      ) : (
        <Facts
          facts={[
            [
              'ICCID',
              <Link key="sim" to="/sims/$simId" params={{ simId: sim.id }}>
                {sim.iccid}
              </Link>,
            ],
            ['State', sentenceCase(sim.status)],
          ]}
        />
      )}
    </Panel>
  )
}
