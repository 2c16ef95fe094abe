import { Button, Group, Loader, Text } from '@mantine/core'
import type { StreamConnectionTest, StreamTestStep } from '@roadworthy/contracts/platform-v1/stream-connection'
import { useTestStream } from '../api/stream-queries.ts'
import { CheckIcon, CrossIcon, UnknownIcon } from '../shell/icons.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'

type Step = StreamConnectionTest['steps'][number]

const stepWords: Readonly<Record<StreamTestStep, string>> = {
  name: t('Name in DNS'),
  tcp: t('Connection'),
  tls: t('Encryption and certificate'),
  authentication: t('Sign-in'),
  topic: t('Topics and rights'),
  sample: t('Newest message, decoded'),
}

const looks: Readonly<Record<Step['status'], readonly [look: StatusLook, word: string]>> = {
  ok: [{ color: 'green', Icon: CheckIcon }, t('OK')],
  failed: [{ color: 'red', Icon: CrossIcon }, t('Not passed')],
  skipped: [{ color: 'gray', Icon: UnknownIcon }, t('Skipped')],
}

/** Of what is stored. Nothing is taken from the topic. */
export function ConnectionTest() {
  const test = useTestStream()
  return (
    <Panel
      title={t('Test')}
      actions={
        <Button size="xs" loading={test.isPending} onClick={() => test.mutate()}>
          {t('Test the connection')}
        </Button>
      }
    >
      <Refusal error={test.error} />
      <div aria-live="polite">
        {test.isPending && (
          <Group gap="xs">
            <Loader size="xs" aria-hidden="true" />
            <Text size="sm">{t('Trying each step. It takes up to half a minute.')}</Text>
          </Group>
        )}
        {test.data === undefined && !test.isPending && (
          <Text size="sm">
            {t(
              'Tries the stored connection step by step, and says at the first that fails what would be right. Nothing is taken from the topic.',
            )}
          </Text>
        )}
        {test.data !== undefined && !test.isPending && <Steps steps={test.data.steps} />}
      </div>
    </Panel>
  )
}

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="test-steps">
      {steps.map(({ step, status, detail, duration_ms: durationMs }) => {
        const [look, word] = looks[status]
        return (
          <li key={step}>
            <Group gap="xs">
              <Text fw={650} size="sm">
                {stepWords[step]}
              </Text>
              <StatusBadge look={look} size="sm">
                {word}
              </StatusBadge>
              {status !== 'skipped' && (
                <Text size="xs" c="dimmed">
                  {t('{ms} ms', { ms: wholeNumber(durationMs) })}
                </Text>
              )}
            </Group>
            <Text size="sm">{detail}</Text>
          </li>
        )
      })}
    </ol>
  )
}
