import { Button, CopyButton, Group, Text } from '@mantine/core'
import { t } from '../text/translate.ts'

/** The embedded broker's; where it listens elsewhere, the person knows. */
const MQTT_PORT = 1883

/** Vehicles that drive, wear and fail, for whoever has no device at hand. They are made by a program beside the service, so this is its command. */
export function DemoFleet() {
  const { origin, hostname } = window.location
  const command = `ROADWORTHY_API_KEY='…' node tools/simulator/src/demo.ts --base-url ${origin} --mqtt-url mqtt://${hostname}:${MQTT_PORT}`
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
