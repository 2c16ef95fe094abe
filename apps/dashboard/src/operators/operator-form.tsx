import { Button, Group, Select, Stack, TextInput, Title } from '@mantine/core'
import type { OperatorConnection, OperatorConnectionUpdate } from '@roadworthy/contracts/sim-billing/operator-connections'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ratePlansQuery } from '../api/billing-queries.ts'
import { useChangeOperator } from '../api/connection-queries.ts'
import { refusalElsewhere, refusalOf } from '../shell/field-refusal.ts'
import { showNotice } from '../shell/notice.ts'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { given, isComplete, type Values } from './field.ts'
import { FieldInputs } from './field-inputs.tsx'
import { operatorForms, termFields } from './operator-fields.ts'

export function OperatorForm({ connection }: { connection: OperatorConnection }) {
  const { connection_id: id, operator } = connection
  const change = useChangeOperator(id, () => showNotice({ text: t('The connection is changed.') }))
  const [name, setName] = useState(connection.name)
  const [settings, setSettings] = useState<Values>(connection.settings)
  const [terms, setTerms] = useState<Values>(() => termsOf(connection))
  const [planId, setPlanId] = useState(connection.default_plan_id)
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
    const body = { name: name.trim(), settings: given(form.settings, settings), ...given(termFields, terms), default_plan_id: planId }
    change.mutate(body as OperatorConnectionUpdate)
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
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <DefaultPlan planId={planId} error={refusalOf(change.error, 'default_plan_id')} onChange={setPlanId} />
          <FieldInputs
            fields={form.settings}
            values={settings}
            path="settings."
            error={change.error}
            onChange={(field, value) => setSettings({ ...settings, [field]: value })}
          />
          <Title order={3} size="h6">
            {t('Terms of your contract')}
          </Title>
          <FieldInputs
            fields={termFields}
            values={terms}
            error={change.error}
            onChange={(field, value) => setTerms({ ...terms, [field]: value })}
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

function termsOf(connection: OperatorConnection): Values {
  const { sync_every_minutes, custody_min_days, custody_max_days, custody_on_expiry, termination_grace_days } = connection
  return { sync_every_minutes, custody_min_days, custody_max_days, custody_on_expiry, termination_grace_days }
}
