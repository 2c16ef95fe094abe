import { Alert, Button, Group, Text, Title } from '@mantine/core'
import type { CredentialsRotated, Device } from '@roadworthy/contracts/platform-v1/devices'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { deviceQuery, simOfDeviceQuery } from '../api/device-queries.ts'
import { usePageTitle } from '../brand/use-brand.ts'
import { useMayChange } from '../session/use-session.ts'
import { useDialog } from '../shell/dialogs.tsx'
import { type Fact, Facts } from '../shell/facts.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { SimStatusBadge } from '../sims/sim-status.tsx'
import { SubClientName } from '../sub-clients/sub-client-name.tsx'
import { absoluteTime, measure, percent, vehicleLabel } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { AssignmentPanel } from './assignment-panel.tsx'
import { CredentialsPanel, FirstMessage } from './credentials-panel.tsx'
import { DecommissionDialog, PhoneCodeDialog, RotateDialog, SuspendDialog } from './device-dialogs.tsx'
import { DeviceStatusBadge, PresenceBadge } from './device-status.tsx'
import { PhonePanel } from './phone-panel.tsx'
import { typeLabel } from './register-form.ts'

export function DevicePage() {
  const { deviceId } = useParams({ from: '/devices/$deviceId' })
  const asked = useQuery(deviceQuery(deviceId))
  const mayChange = useMayChange()
  const [rotated, setRotated] = useState<CredentialsRotated>()
  const [token, setToken] = useState<string>()
  usePageTitle(asked.data === undefined ? t('Device') : deviceLabel(asked.data))
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('device')} isPage />
  const device = asked.data
  const isLiving = device.status !== 'decommissioned'
  return (
    <div className="page">
      <Head device={device} onRotated={setRotated} onToken={setToken} />
      {token !== undefined && <PhonePanel key={token} token={token} label={t('Done')} onStored={() => setToken(undefined)} />}
      {rotated !== undefined && <Rotated rotated={rotated} onStored={() => setRotated(undefined)} />}
      {isLiving && device.lastSeenAt === null && <FirstMessage deviceId={device.id} isPhone={isPhone(device)} />}
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

const isPhone = ({ connectionMethod }: Device) => connectionMethod === 'osmand'

type HeadProps = { device: Device; onRotated: (rotated: CredentialsRotated) => void; onToken: (token: string) => void }

function Head({ device, onRotated, onToken }: HeadProps) {
  const openDialog = useDialog()
  const mayChange = useMayChange()
  const isSuspended = device.status === 'suspended'
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <Title order={1} size="h2" className="breaking">
          {deviceLabel(device)}
        </Title>
        <DeviceStatusBadge status={device.status} />
        <PresenceBadge device={device} />
      </Group>
      {mayChange && device.status !== 'decommissioned' && (
        <Group gap="xs">
          {isPhone(device) ? (
            <Button
              size="sm"
              variant="default"
              onClick={() => openDialog((close) => <PhoneCodeDialog device={device} onIssued={onToken} onClose={close} />)}
            >
              {t('Make a new code')}
            </Button>
          ) : (
            <Button
              size="sm"
              variant="default"
              onClick={() => openDialog((close) => <RotateDialog device={device} onRotated={onRotated} onClose={close} />)}
            >
              {t('Rotate credentials')}
            </Button>
          )}
          <Button size="sm" variant="default" onClick={() => openDialog((close) => <SuspendDialog device={device} onClose={close} />)}>
            {isSuspended ? t('Resume') : t('Suspend')}
          </Button>
          <Button
            size="sm"
            variant="default"
            c="red"
            onClick={() =>
              openDialog((close) => <DecommissionDialog device={device} word={device.imei ?? device.name ?? device.id} onClose={close} />)
            }
          >
            {t('Decommission')}
          </Button>
        </Group>
      )}
    </Group>
  )
}

function Rotated({ rotated, onStored }: { rotated: CredentialsRotated; onStored: () => void }) {
  return (
    <>
      <Alert color="blue" role="status">
        {rotated.previousValidUntil === null
          ? t('The password before no longer works.')
          : t('The password before works until {time}.', { time: absoluteTime(rotated.previousValidUntil) })}
      </Alert>
      <CredentialsPanel credentials={rotated} label={t('Done')} onStored={onStored} />
    </>
  )
}

function ConnectionPanel({ device }: { device: Device }) {
  const facts: readonly Fact[] = [
    [t('Last message'), <TimeAgo key="seen" time={device.lastSeenAt} />],
    [t('Battery of the device'), device.battery === null ? undefined : <Battery key="battery" battery={device.battery} />],
    [t('Id'), device.id],
    [t('IMEI'), device.imei ?? undefined],
    [t('Kind'), typeLabel(device.deviceType)],
    [t('Connects by'), device.connectionMethod.toUpperCase()],
    [t('SIM number'), device.simNumber ?? undefined],
    [t('MQTT username'), device.mqttUsername],
    [t('MQTT topic'), device.mqttTopic],
    [t('Registered'), <TimeAgo key="made" time={device.createdAt} />],
    [t('Changed'), <TimeAgo key="changed" time={device.updatedAt} />],
  ]
  return (
    <Panel
      title={t('Connection')}
      actions={
        <Link to="/devices/$deviceId/messages" params={{ deviceId: device.id }}>
          {t('See its messages')}
        </Link>
      }
    >
      <Facts facts={facts} />
    </Panel>
  )
}

function Battery({ battery }: { battery: NonNullable<Device['battery']> }) {
  const shown = [
    ...(battery.percent === null ? [] : [percent(battery.percent / 100)]),
    ...(battery.voltageV === null ? [] : [measure(battery.voltageV, 'V')]),
  ]
  return (
    <>
      {shown.join(', ')} <TimeAgo time={battery.recordedAt} />
    </>
  )
}

function ShownAssignment({ device: { vehicle, subClientId } }: { device: Device }) {
  const shown =
    vehicle === null ? (
      t('none')
    ) : (
      <Link key="vehicle" to="/vehicles/$vehicleId" params={{ vehicleId: vehicle.id }}>
        {vehicleLabel(vehicle)}
      </Link>
    )
  return (
    <Panel title={t('Vehicle and sub-client')}>
      <Facts
        facts={[
          [t('Vehicle'), shown],
          [t('Sub-client'), subClientId === null ? t('none') : <SubClientName key="sub-client" subClientId={subClientId} />],
        ]}
      />
    </Panel>
  )
}

function SimPanel({ deviceId }: { deviceId: string }) {
  const asked = useQuery(simOfDeviceQuery(deviceId))
  const sim = asked.data?.sims[0]
  return (
    <Panel title={t('SIM')}>
      {asked.data === undefined ? (
        <NotLoaded asked={asked} what={t('SIM')} />
      ) : sim === undefined ? (
        <Text c="dimmed">{t('None is known to be in this device. One whose number is the device’s SIM number is linked by itself.')}</Text>
      ) : (
        <Facts
          facts={[
            [
              t('ICCID'),
              <Link key="sim" to="/sims/$simId" params={{ simId: sim.id }}>
                {sim.iccid}
              </Link>,
            ],
            [t('State'), <SimStatusBadge key="state" sim={sim} />],
          ]}
        />
      )}
    </Panel>
  )
}
