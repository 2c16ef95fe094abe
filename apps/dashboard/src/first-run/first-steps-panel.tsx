import { Badge, Button, Group, Text } from '@mantine/core'
import type { FirstSteps } from '@roadworthy/contracts/platform-v1/overview'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useMayChange, useSession } from '../session/use-session.ts'
import { CheckIcon, UnknownIcon } from '../shell/icons.tsx'
import { Panel } from '../shell/panel.tsx'
import { t } from '../text/translate.ts'
import { DemoFleet } from './demo-fleet.tsx'
import { dismiss, isDismissed } from './dismissed.ts'
import { type Step, type StepName, stepsFor } from './steps.ts'

type FirstStepsPanelProps = {
  steps: FirstSteps
  userId: string
  /** Shown in its place to those who may not take the steps, have taken them or have put them away. */
  instead?: ReactNode
}

/** Shown until all is done or the person puts it away. Each step turns done by itself, because the service is asked what there is. */
export function FirstStepsPanel({ steps: done, userId, instead = null }: FirstStepsPanelProps) {
  const mayChange = useMayChange()
  const session = useSession()
  const [isGone, setGone] = useState(() => isDismissed(userId))
  if (!mayChange || session === undefined || isGone) return instead
  const steps = stepsFor(session, done)
  const doneCount = steps.filter(({ isDone }) => isDone).length
  if (doneCount === steps.length) return instead
  const putAway = () => {
    dismiss(userId)
    setGone(true)
  }
  return (
    <Panel
      title={t('First steps')}
      actions={
        <Group gap="xs">
          <Text size="sm" c="dimmed" role="status">
            {t('{done} of {all} done', { done: doneCount, all: steps.length })}
          </Text>
          <Button size="compact-sm" variant="subtle" onClick={putAway}>
            {t('Hide')}
          </Button>
        </Group>
      }
    >
      <ol className="rows">
        {steps.map((step) => (
          <StepRow key={step.name} step={step} />
        ))}
      </ol>
      <DemoFleet hasReadings={done.reading} />
    </Panel>
  )
}

function StepRow({ step: { name, isDone, isNext } }: { step: Step }) {
  const { title, text, action } = words[name]
  return (
    <li className="incident-row" aria-current={isNext ? 'step' : undefined}>
      <span className="tile-icon" data-color={isDone ? 'green' : 'gray'}>
        {isDone ? <CheckIcon size={22} /> : <UnknownIcon size={22} />}
      </span>
      <div className="row-text">
        <Group gap="xs">
          <Text fw={isNext ? 650 : 500}>{title}</Text>
          {isDone && (
            <Badge color="green" variant="light" tt="none" size="sm">
              {t('Done')}
            </Badge>
          )}
        </Group>
        {!isDone && (
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        )}
      </div>
      {!isDone && action(isNext)}
    </li>
  )
}

const look = (isNext: boolean) => ({ size: 'xs', variant: isNext ? 'filled' : 'default' }) as const

const words: Readonly<Record<StepName, { title: string; text: string; action: (isNext: boolean) => ReactNode }>> = {
  apiKey: {
    title: t('Make an API key'),
    text: t('Programs and devices that call the API send it along. It is shown once.'),
    action: (isNext) => (
      <Button {...look(isNext)} renderRoot={(props) => <Link {...props} to="/settings/api-keys" />}>
        {t('Make a key')}
      </Button>
    ),
  },
  device: {
    title: t('Register a device'),
    text: t('A tracker or a gateway, with its vehicle. You get its credentials and lines to paste.'),
    action: (isNext) => (
      <Button {...look(isNext)} renderRoot={(props) => <Link {...props} to="/devices/new" />}>
        {t('Register a device')}
      </Button>
    ),
  },
  reading: {
    title: t('Receive the first message'),
    text: t('Over MQTT or REST. The page of the device shows what to send, and turns green when it comes.'),
    action: (isNext) => (
      <Button {...look(isNext)} renderRoot={(props) => <Link {...props} to="/devices" />}>
        {t('See the devices')}
      </Button>
    ),
  },
  prediction: {
    title: t('See the first prediction'),
    text: t('It follows a few seconds after the first readings of an engine, battery or brakes.'),
    action: (isNext) => (
      <Button {...look(isNext)} renderRoot={(props) => <Link {...props} to="/fleet" />}>
        {t('See the fleet')}
      </Button>
    ),
  },
  webhook: {
    title: t('Set up a webhook'),
    text: t('Your own program is called when an incident opens. Messages to people are made in the settings.'),
    action: (isNext) => (
      <Button {...look(isNext)} renderRoot={(props) => <Link {...props} to="/settings/webhooks" />}>
        {t('Add a webhook')}
      </Button>
    ),
  },
}
