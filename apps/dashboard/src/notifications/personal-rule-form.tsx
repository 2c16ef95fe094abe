import { Fieldset } from '@mantine/core'
import type { PersonalNotificationRule } from '@roadworthy/contracts/platform-v1/personal-notification-rules'
import { useState } from 'react'
import { useChangePersonalRule, useCreatePersonalRule } from '../api/personal-rule-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { t } from '../text/translate.ts'
import { DigestFields } from './digest-fields.tsx'
import { draftOf, isWholePersonalDraft, NEW_RULE, personalRequestOf } from './rule-draft.ts'
import { AboutFields, type FieldsProps, HourFields, NameField, RepeatFields } from './rule-fields.tsx'

/** Without a rule, a new one. */
export function PersonalRuleForm({ rule, onClose }: { rule?: PersonalNotificationRule; onClose: () => void }) {
  const create = useCreatePersonalRule()
  const change = useChangePersonalRule(rule?.id ?? '')
  const [draft, setDraft] = useState(rule === undefined ? NEW_RULE : draftOf({ ...rule, recipients: [], escalation: null }))
  const onChange: FieldsProps['onChange'] = (changes) => setDraft((before) => ({ ...before, ...changes }))
  const given = personalRequestOf(draft)
  return (
    <Confirmation
      title={rule === undefined ? t('New rule for you') : t('Edit the rule {name}', { name: rule.name })}
      text={t('The message is sent to you alone, by e-mail and in your browsers. It is about incidents that open or change from now on.')}
      label={t('Save')}
      change={rule === undefined ? create : change}
      isReady={isWholePersonalDraft(draft)}
      onConfirm={() => (rule === undefined ? create : change).mutate(given, { onSuccess: onClose })}
      onClose={onClose}
    >
      <NameField draft={draft} onChange={onChange} />
      <AboutFields draft={draft} onChange={onChange} />
      <DigestFields draft={draft} onChange={onChange} />
      {!draft.isDigest && (
        <>
          <HourFields draft={draft} onChange={onChange} />
          <Fieldset legend={t('If nobody acts')}>
            <RepeatFields draft={draft} onChange={onChange} />
          </Fieldset>
        </>
      )}
    </Confirmation>
  )
}
