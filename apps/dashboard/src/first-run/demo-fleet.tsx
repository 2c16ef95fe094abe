import { Button, CopyButton, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { demoFleetQuery, useChangeDemoFleet } from '../api/demo-fleet-queries.ts'
import { useSession } from '../session/use-session.ts'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'

/** The embedded broker's; where it listens elsewhere, the person knows. */
const MQTT_PORT = 1883

/** Of the demo fleet, for who may start it. */
function useDemoFleet() {
  const isOwner = useSession()?.role === 'owner'
  return useQuery({ ...demoFleetQuery, enabled: isOwner }).data
}

/** Vehicles that drive, wear and fail, for trying the service without a device. A fleet that was started here can be stopped again. */
export function DemoFleet({ hasReadings }: { hasReadings: boolean }) {
  const demoFleet = useDemoFleet()
  if (demoFleet?.state === 'running') return <DrivingFleet hasReadings={hasReadings} />
  if (hasReadings || demoFleet?.state === 'always') return null
  if (demoFleet?.state === 'off') return <DemoFleetOffer vehicles={demoFleet.vehicles} />
  return <DemoFleetCommand />
}

/** One click; nothing where there is none to start, or the person may not. */
export function LoadDemoFleet() {
  const demoFleet = useDemoFleet()
  const change = useChangeDemoFleet()
  if (demoFleet?.state !== 'off') return null
  return (
    <>
      <Button variant="default" loading={change.isPending} onClick={() => change.mutate({ running: true })}>
        {t('Load the demo fleet')}
      </Button>
      <Refusal error={change.error} />
    </>
  )
}

function DemoFleetOffer({ vehicles }: { vehicles: number }) {
  return (
    <Group gap="sm" justify="space-between" mt="sm">
      <div className="row-text">
        <Text fw={500}>{t('No device at hand?')}</Text>
        <Text size="sm" c="dimmed">
          {t('{count} vehicles drive, wear and raise alerts until you stop them. They count as your own; remove them like any other.', {
            count: vehicles,
          })}
        </Text>
      </div>
      <LoadDemoFleet />
    </Group>
  )
}

function DrivingFleet({ hasReadings }: { hasReadings: boolean }) {
  const change = useChangeDemoFleet()
  return (
    <Group gap="sm" justify="space-between" mt="sm">
      <Text size="sm" role="status">
        {hasReadings ? t('The demo fleet is driving.') : t('The demo fleet is driving. Its first readings take a few seconds.')}
      </Text>
      <Button size="xs" variant="default" loading={change.isPending} onClick={() => change.mutate({ running: false })}>
        {t('Stop the demo fleet')}
      </Button>
      <Refusal error={change.error} />
    </Group>
  )
}

/** Where the service itself starts none: the command of the program that makes them. */
function DemoFleetCommand() {
  const { origin, hostname } = window.location
  const command = `ROADWORTHY_API_KEY='…' node packages/simulator/src/demo.ts --base-url ${origin} --mqtt-url mqtt://${hostname}:${MQTT_PORT}`
  return (
    <details className="change">
      <summary>{t('No device at hand? Load the demo fleet')}</summary>
      <Text size="sm" my="xs">
        {t(
          'Run this in the folder of Roadworthy, with an API key of yours: 24 vehicles drive, wear and raise alerts until you end it. They count as your own; remove them like any other device and vehicle.',
        )}
      </Text>
      <Group gap="xs" align="flex-start">
        <code className="lines row-text">{command}</code>
        <CopyButton value={command}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy}>
              {copied ? t('Copied') : t('Copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </details>
  )
}
