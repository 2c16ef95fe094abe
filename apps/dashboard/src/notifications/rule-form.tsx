import { Checkbox, Fieldset, Select } from '@mantine/core'
import type { NotificationRule } from '@roadworthy/contracts/platform-v1/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChangeRule, useCreateRule } from '../api/notification-queries.ts'
import { subClientChoicesQuery } from '../api/sub-client-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { CountField } from '../shell/count-field.tsx'
import { t } from '../text/translate.ts'
import { DigestFields } from './digest-fields.tsx'
import { RecipientsField } from './recipients-field.tsx'
import { draftOf, isWholeDraft, NEW_RULE, requestOf } from './rule-draft.ts'
import { AboutFields, type FieldsProps, HourFields, MAX_OPTIONS, MOST_MINUTES, NameField, RepeatFields } from './rule-fields.tsx'

/** Without a rule, a new one. */
export function RuleForm({ rule, onClose }: { rule?: NotificationRule; onClose: () => void }) {
  const create = useCreateRule()
  const change = useChangeRule(rule?.id ?? '')
  const [draft, setDraft] = useState(rule === undefined ? NEW_RULE : draftOf(rule))
  const onChange: FieldsProps['onChange'] = (changes) => setDraft((before) => ({ ...before, ...changes }))
  const save = () => {
    if (rule === undefined) create.mutate({ ...requestOf(draft), subClientId: draft.subClientId }, { onSuccess: onClose })
    else change.mutate(requestOf(draft), { onSuccess: onClose })
  }
  return (
    <Confirmation
      title={rule === undefined ? t('New rule') : t('Edit the rule {name}', { name: rule.name })}
      text={t('It is about incidents that open or change from now on.')}
      label={t('Save')}
      change={rule === undefined ? create : change}
      isReady={isWholeDraft(draft)}
      onConfirm={save}
      onClose={onClose}
    >
      <NameField draft={draft} onChange={onChange} />
      <AboutFields draft={draft} onChange={onChange}>
        <SubClientField draft={draft} onChange={onChange} isNew={rule === undefined} />
      </AboutFields>
      <RecipientsField
        label={t('Who gets the message')}
        value={draft.recipients}
        subClientId={draft.subClientId}
        onChange={(recipients) => onChange({ recipients })}
      />
      <DigestFields draft={draft} onChange={onChange} />
      {!draft.isDigest && (
        <>
          <HourFields draft={draft} onChange={onChange} />
          <AgainFields draft={draft} onChange={onChange} />
        </>
      )}
    </Confirmation>
  )
}

function SubClientField({ draft: { subClientId }, onChange, isNew }: FieldsProps & { isNew: boolean }) {
  const subClients = useQuery(subClientChoicesQuery).data?.subClients ?? []
  if (subClients.length === 0) return null
  return (
    <Select
      label={t('Of which sub-client')}
      description={isNew ? t('It stays as it is chosen now.') : t('It cannot be changed.')}
      placeholder={t('The whole fleet')}
      clearable
      searchable
      disabled={!isNew}
      limit={MAX_OPTIONS}
      value={subClientId}
      data={subClients.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(value) => onChange({ subClientId: value, recipients: [], escalationRecipients: [], vehicleIds: [], vehicleGroupIds: [] })}
    />
  )
}

function AgainFields({ draft, onChange }: FieldsProps) {
  const { isEscalated } = draft
  return (
    <Fieldset legend={t('If nobody acts')}>
      <RepeatFields draft={draft} onChange={onChange} />
      <Checkbox
        mt="sm"
        label={t('Notify others when nobody acknowledges it')}
        checked={isEscalated}
        onChange={(event) => onChange({ isEscalated: event.currentTarget.checked })}
      />
      {isEscalated && (
        <>
          <CountField
            mt="xs"
            label={t('After so many minutes')}
            min={1}
            max={MOST_MINUTES}
            clampBehavior="blur"
            value={draft.escalationMinutes}
            onChange={(escalationMinutes) => onChange({ escalationMinutes })}
          />
          <RecipientsField
            label={t('Who is notified then')}
            value={draft.escalationRecipients}
            subClientId={draft.subClientId}
            onChange={(escalationRecipients) => onChange({ escalationRecipients })}
          />
        </>
      )}
    </Fieldset>
  )
}
