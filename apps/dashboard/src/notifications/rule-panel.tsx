import { Button, Group, Stack, Text } from '@mantine/core'
import type { NotificationRule } from '@roadworthy/contracts/platform-v1/notifications'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { rulesQuery, useChangeRule, useRemoveRule, useTestRule } from '../api/notification-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { useDialog } from '../shell/dialogs.tsx'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { showNotice } from '../shell/notice.ts'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { RuleForm } from './rule-form.tsx'
import { RuleState } from './rule-state.tsx'
import { type Names, ruleSummary, ruleTimes } from './rule-summary.ts'
import { useNames } from './use-names.ts'

export function RulePanel() {
  const asked = useQuery(rulesQuery)
  const names = useNames()
  const [isAdding, setIsAdding] = useState(false)
  const rules = asked.data?.notificationRules
  const add = (
    <Button size="sm" onClick={() => setIsAdding(true)}>
      {t('New rule')}
    </Button>
  )
  return (
    <Panel title={t('Rules')} actions={rules === undefined || rules.length === 0 ? undefined : add}>
      {rules === undefined ? (
        <NotLoaded asked={asked} what={t('rules')} />
      ) : rules.length === 0 ? (
        <Stack align="center" gap={0} pb="md">
          <Message title={t('Nobody is notified of incidents yet')}>
            {t('A rule says who gets a message about which incidents, and when. One message per incident, never one per reading.')}
          </Message>
          {add}
        </Stack>
      ) : (
        <ul className="plain-list" aria-label={t('Rules')}>
          {rules.map((rule) => (
            <RuleRow key={rule.id} rule={rule} names={names} />
          ))}
        </ul>
      )}
      {isAdding && <RuleForm onClose={() => setIsAdding(false)} />}
    </Panel>
  )
}

function RuleRow({ rule, names }: { rule: NotificationRule; names: Names }) {
  const openDialog = useDialog()
  const edit = () => openDialog((close) => <RuleForm rule={rule} onClose={close} />)
  const remove = () => openDialog((close) => <RemoveRule rule={rule} onClose={close} />)
  const { id, name, enabled } = rule
  return (
    <li>
      <Stack gap={4}>
        <Group gap="xs">
          <Text fw={650}>{name}</Text>
          <RuleState isEnabled={enabled} />
        </Group>
        <Text size="sm">{ruleSummary(rule, names)}</Text>
        <Text size="sm" c="dimmed">
          {ruleTimes(rule, names)}
        </Text>
        <RuleActions rule={rule} onEdit={edit} onRemove={remove} />
        <Text size="xs">
          <Link to="/settings/notifications" search={{ ruleId: id }} hash="log">
            {t('What it sent')}
          </Link>
        </Text>
      </Stack>
    </li>
  )
}

function RuleActions({ rule, onEdit, onRemove }: { rule: NotificationRule; onEdit: () => void; onRemove: () => void }) {
  const { id, name, enabled } = rule
  const change = useChangeRule(id)
  const test = useTestRule(id)
  const sendTest = () =>
    test.mutate(undefined, {
      onSuccess: ({ recipients }) =>
        showNotice({
          text: t('{count, plural, one {A test is} other {# tests are}} on the way. The log below shows what comes of it.', {
            count: recipients,
          }),
        }),
    })
  return (
    <>
      <Group gap={6}>
        <Button size="xs" variant="default" onClick={onEdit} aria-label={t('Edit: {name}', { name })}>
          {t('Edit')}
        </Button>
        <Button size="xs" variant="default" loading={test.isPending} onClick={sendTest} aria-label={t('Send test: {name}', { name })}>
          {t('Send test')}
        </Button>
        <Button
          size="xs"
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ enabled: !enabled })}
          aria-label={enabled ? t('Switch off: {name}', { name }) : t('Switch on: {name}', { name })}
        >
          {enabled ? t('Switch off') : t('Switch on')}
        </Button>
        <Button size="xs" variant="default" onClick={onRemove} aria-label={t('Delete: {name}', { name })}>
          {t('Delete')}
        </Button>
      </Group>
      <Refusal error={test.error ?? change.error} />
    </>
  )
}

function RemoveRule({ rule: { id, name }, onClose }: { rule: NotificationRule; onClose: () => void }) {
  const remove = useRemoveRule(id)
  return (
    <Confirmation
      title={t('Delete the rule {name}', { name })}
      text={t('Nothing more is sent by it. What was sent stays in the log. To stop it for a while, switch it off.')}
      label={t('Delete')}
      color="red"
      change={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
