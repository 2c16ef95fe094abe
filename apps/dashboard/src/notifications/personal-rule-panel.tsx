import { Button, Group, Stack, Text } from '@mantine/core'
import type { PersonalNotificationRule } from '@roadworthy/contracts/platform-v1/personal-notification-rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { personalRulesQuery, useChangePersonalRule, useRemovePersonalRule } from '../api/personal-rule-queries.ts'
import { useSession } from '../session/use-session.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { useDialog } from '../shell/dialogs.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { PersonalRuleForm } from './personal-rule-form.tsx'
import { RuleState } from './rule-state.tsx'
import { ruleSummary, ruleTimes } from './rule-summary.ts'
import { useFleetNames } from './use-names.ts'

/** The rules that send messages to who is signed in: their own, and those of the account that name them. */
export function PersonalRulePanel() {
  const asked = useQuery(personalRulesQuery)
  return (
    <Panel title={t('What you are notified of')}>
      {asked.data === undefined ? (
        <NotLoaded asked={asked} what={t('rules')} />
      ) : (
        <PersonalRules rules={asked.data.notificationRules} limit={asked.data.limit} />
      )}
    </Panel>
  )
}

function PersonalRules({ rules, limit }: { rules: readonly PersonalNotificationRule[]; limit: number }) {
  const isViewing = useSession()?.viewAs != null
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm" c="dimmed">
        {t('Each rule sends you an e-mail, and a message in your browsers. Rules of your own are sent to nobody else.')}
      </Text>
      {rules.length === 0 ? (
        <Text size="sm">{t('No rule sends you messages.')}</Text>
      ) : (
        <ul className="plain-list" aria-label={t('Rules that send you messages')}>
          {rules.map((rule) => (
            <PersonalRuleRow key={rule.id} rule={rule} isFixed={isViewing || !rule.own} />
          ))}
        </ul>
      )}
      {isViewing ? (
        <Text size="sm">{t('Stop looking as a sub-client to change this.')}</Text>
      ) : rules.filter(({ own }) => own).length >= limit ? (
        <Text size="sm">{t('You have as many rules of your own as there can be. Delete one to add another.')}</Text>
      ) : (
        <NewRule />
      )}
    </Stack>
  )
}

function NewRule() {
  const [isAdding, setIsAdding] = useState(false)
  return (
    <>
      <Button size="sm" onClick={() => setIsAdding(true)}>
        {t('New rule for you')}
      </Button>
      {isAdding && <PersonalRuleForm onClose={() => setIsAdding(false)} />}
    </>
  )
}

function PersonalRuleRow({ rule, isFixed }: { rule: PersonalNotificationRule; isFixed: boolean }) {
  const names = useFleetNames()
  const isOfSubClient = useSession()?.subClientId != null
  const openDialog = useDialog()
  const edit = () => openDialog((close) => <PersonalRuleForm rule={rule} onClose={close} />)
  const remove = () => openDialog((close) => <RemovePersonalRule rule={rule} onClose={close} />)
  // A person who sees one sub-client only knows which it is.
  const said = rule.own || isOfSubClient ? { ...rule, subClientId: null } : rule
  return (
    <li>
      <Stack gap={4}>
        <Group gap="xs">
          <Text fw={650}>{rule.name}</Text>
          <RuleState isEnabled={rule.enabled} />
        </Group>
        <Text size="sm">{ruleSummary(said, names)}</Text>
        <Text size="sm" c="dimmed">
          {ruleTimes(said, names)}
        </Text>
        {!rule.own && (
          <Text size="sm" c="dimmed">
            {t('A rule of the account. Owners and members can change it.')}
          </Text>
        )}
        {!isFixed && <RowActions rule={rule} onEdit={edit} onRemove={remove} />}
      </Stack>
    </li>
  )
}

function RowActions({ rule, onEdit, onRemove }: { rule: PersonalNotificationRule; onEdit: () => void; onRemove: () => void }) {
  const { id, name, enabled } = rule
  const change = useChangePersonalRule(id)
  return (
    <>
      <Group gap={6}>
        <Button size="xs" variant="default" onClick={onEdit} aria-label={t('Edit: {name}', { name })}>
          {t('Edit')}
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
      <Refusal error={change.error} />
    </>
  )
}

function RemovePersonalRule({ rule: { id, name }, onClose }: { rule: PersonalNotificationRule; onClose: () => void }) {
  const remove = useRemovePersonalRule(id)
  return (
    <Confirmation
      title={t('Delete the rule {name}', { name })}
      text={t('Nothing more is sent by it. To stop it for a while, switch it off.')}
      label={t('Delete')}
      color="red"
      change={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
