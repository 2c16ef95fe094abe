import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { PushSubscription as AllowedBrowser } from '@roadworthy/contracts/platform-v1/push-subscriptions'
import { useQuery } from '@tanstack/react-query'
import { browsersQuery, useAllowBrowser, useRemoveBrowser, useTestBrowser } from '../api/push-queries.ts'
import { type PushAbility, pushAbility } from '../api/this-browser.ts'
import { useSession } from '../session/use-session.ts'
import { CheckIcon } from '../shell/icons.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { StatusBadge } from '../shell/status-badge.tsx'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { browserName } from './browser-name.ts'
import { TestAnswer } from './test-answer.tsx'

/** Messages of rules that name the person, shown by their browsers. */
export function BrowserPanel() {
  const asked = useQuery(browsersQuery)
  const isViewing = useSession()?.viewAs != null
  const { publicKey, pushSubscriptions = [], thisBrowser, limit = 0 } = asked.data ?? {}
  return (
    <Panel title={t('Messages in your browsers')}>
      {publicKey === undefined ? (
        <NotLoaded asked={asked} what={t('browsers')} />
      ) : (
        <Stack gap="sm" align="flex-start">
          <Text size="sm" c="dimmed">
            {t(
              'When a notification rule names you, the message is also shown here, even while the dashboard is closed. A click on it opens the incident.',
            )}
          </Text>
          {isViewing ? (
            <Text size="sm">{t('Stop looking as a sub-client to change this.')}</Text>
          ) : (
            thisBrowser === undefined && <Allow publicKey={publicKey} isFull={pushSubscriptions.length >= limit} />
          )}
          {pushSubscriptions.length > 0 && (
            <ul className="plain-list" aria-label={t('Your browsers')}>
              {pushSubscriptions.map((browser) => (
                <BrowserRow key={browser.id} browser={browser} isThisOne={browser.id === thisBrowser?.id} isFixed={isViewing} />
              ))}
            </ul>
          )}
        </Stack>
      )}
    </Panel>
  )
}

/** Why it cannot be allowed here. */
const hindrances: Readonly<Record<Exclude<PushAbility, 'possible'>, string>> = {
  insecure: t('Browsers show messages of pages over https only. Open the dashboard by its https address.'),
  missing: t('This browser cannot show messages. On an iPhone or iPad, put the dashboard on the home screen and open it there.'),
  denied: t('Messages are blocked in this browser. Allow notifications for this site in its settings, then load the page anew.'),
}

function Allow({ publicKey, isFull }: { publicKey: string; isFull: boolean }) {
  const allow = useAllowBrowser(publicKey, browserName(navigator.userAgent))
  const ability = pushAbility()
  if (ability !== 'possible') return <Text size="sm">{hindrances[ability]}</Text>
  if (isFull) return <Text size="sm">{t('You have as many browsers as there can be. Remove one to allow this one.')}</Text>
  return (
    <>
      <Button size="sm" loading={allow.isPending} onClick={() => allow.mutate()}>
        {t('Show messages in this browser')}
      </Button>
      {allow.data === false && (
        <Alert color="orange" role="alert">
          {t('The browser was not allowed to show messages.')}
        </Alert>
      )}
      <Refusal error={allow.error} />
    </>
  )
}

function BrowserRow({ browser, isThisOne, isFixed }: { browser: AllowedBrowser; isThisOne: boolean; isFixed: boolean }) {
  const { id, name, host, createdAt } = browser
  const test = useTestBrowser(id)
  const remove = useRemoveBrowser(id, isThisOne)
  return (
    <li>
      <Stack gap={4}>
        <Group gap="xs">
          <Text fw={650}>{name}</Text>
          {isThisOne && (
            <StatusBadge look={{ color: 'green', Icon: CheckIcon }} size="sm">
              {t('This browser')}
            </StatusBadge>
          )}
        </Group>
        <Text size="sm" c="dimmed" className="breaking">
          {host} · <TimeAgo time={createdAt} />
        </Text>
        {!isFixed && (
          <Group gap={6}>
            <Button
              size="xs"
              variant="default"
              loading={test.isPending}
              onClick={() => test.mutate()}
              aria-label={t('Send test: {name}', { name })}
            >
              {t('Send test')}
            </Button>
            <Button
              size="xs"
              variant="default"
              loading={remove.isPending}
              onClick={() => remove.mutate()}
              aria-label={t('Remove: {name}', { name })}
            >
              {t('Remove')}
            </Button>
          </Group>
        )}
        <Refusal error={test.error ?? remove.error} />
        {test.data !== undefined && <TestAnswer status={test.data.status} error={test.data.error} />}
      </Stack>
    </li>
  )
}
