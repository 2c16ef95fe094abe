import { Button, Group, Select, Stack, TextInput, Title } from '@mantine/core'
import type { OperatorConnection } from '@roadworthy/contracts/sim-billing/operator-connections'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ratePlansQuery } from '../api/billing-queries.ts'
import { useEditOperator } from '../api/connection-queries.ts'
import { refusalElsewhere, refusalOf } from '../shell/field-refusal.ts'
import { showNotice } from '../shell/notice.ts'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { isComplete } from './field.ts'
import { FieldInputs } from './field-inputs.tsx'
import { type OperatorEdits, operatorChanges, operatorFieldsOver } from './operator-edits.ts'
import { operatorForms, termFields } from './operator-fields.ts'

export function OperatorForm({ connection }: { connection: OperatorConnection }) {
  const { connection_id: id, operator } = connection
  const change = useEditOperator(id)
  const [typed, setTyped] = useState<OperatorEdits>({})
  const { name, planId, settings, terms } = operatorFieldsOver(connection, typed)
  const edit = (changed: OperatorEdits) => {
    change.reset()
    setTyped({ ...typed, ...changed })
  }
  const form = operatorForms[operator]
  const shown = [
    'name',
    'default_plan_id',
    ...termFields.map((field) => field.name),
    ...form.settings.map((each) => `settings.${each.name}`),
  ]
  const isReady = name.trim() !== '' && isComplete(form.settings, settings) && isComplete(termFields, terms)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (Object.keys(typed).length === 0) return
    change.mutate((stored) => operatorChanges(stored, typed), {
      onSuccess: () => {
        setTyped({})
        showNotice({ text: t('The connection is changed.') })
      },
    })
  }
  return (
    <Panel title={t('Settings')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            required
            maxLength={100}
            value={name}
            error={refusalOf(change.error, 'name')}
            onChange={(event) => edit({ name: event.currentTarget.value })}
          />
          <DefaultPlan planId={planId} error={refusalOf(change.error, 'default_plan_id')} onChange={(chosen) => edit({ planId: chosen })} />
          <FieldInputs
            fields={form.settings}
            values={settings}
            path="settings."
            error={change.error}
            onChange={(field, value) => edit({ settings: { ...typed.settings, [field]: value } })}
          />
          <Title order={3} size="h6">
            {t('Terms of your contract')}
          </Title>
          <FieldInputs
            fields={termFields}
            values={terms}
            error={change.error}
            onChange={(field, value) => edit({ terms: { ...typed.terms, [field]: value } })}
          />
          <Refusal error={refusalElsewhere(change.error, shown)} />
          <Group justify="flex-end">
            <Button type="submit" size="sm" loading={change.isPending} disabled={!isReady}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}

type DefaultPlanProps = { planId: string | null; error: string | undefined; onChange: (planId: string | null) => void }

function DefaultPlan({ planId, error, onChange }: DefaultPlanProps) {
  const plans = useQuery(ratePlansQuery).data?.rate_plans ?? []
  const choices = plans
    .filter((plan) => plan.archived_at === null || plan.plan_id === planId)
    .map((plan) => ({ value: plan.plan_id, label: plan.name }))
  return (
    <Select
      label={t('Default rate plan')}
      description={t('Of its SIMs that no rate plan claims by the operator’s name of theirs, such as those found in safe custody')}
      placeholder={t('None')}
      clearable
      value={planId}
      error={error}
      data={choices}
      onChange={onChange}
    />
  )
}
