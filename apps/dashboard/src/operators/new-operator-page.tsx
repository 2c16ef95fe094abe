import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { OperatorConnectionCreate } from '@roadworthy/contracts/sim-billing/operator-connections'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useCreateOperator } from '../api/connection-queries.ts'
import { refusalElsewhere, refusalOf } from '../shell/field-refusal.ts'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { given, isComplete, type Values } from './field.ts'
import { FieldInputs } from './field-inputs.tsx'
import { type OperatorName, operatorForms } from './operator-fields.ts'

const operators = Object.keys(operatorForms) as OperatorName[]

type Draft = {
  readonly operator: OperatorName
  readonly name: string
  /** Until somebody writes another it is the operator's own. */
  readonly baseUrl: string | undefined
  readonly settings: Values
  readonly credentials: Values
}

function newDraft(): Draft {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return { operator: 'cisco', name: '', baseUrl: undefined, settings: { time_zone: zone }, credentials: {} }
}

export function NewOperatorPage() {
  const create = useCreateOperator()
  const navigate = useNavigate()
  const [draft, setDraft] = useState<Draft>(newDraft)
  const change = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed })
  const { operator, name, baseUrl, settings, credentials } = draft
  const form = operatorForms[operator]
  const isReady = name.trim() !== '' && isComplete(form.settings, settings) && isComplete(form.credentials, credentials)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body: OperatorConnectionCreate = {
      operator,
      name: name.trim(),
      base_url: (baseUrl ?? form.baseUrl).trim(),
      settings: given(form.settings, settings),
      credentials: given(form.credentials, credentials) as Record<string, string>,
    }
    create.mutate(body, {
      onSuccess: ({ connection }) =>
        void navigate({ to: '/settings/operators/$connectionId', params: { connectionId: connection.connection_id } }),
    })
  }
  const shown = [
    ...['name', 'base_url'],
    ...form.settings.map((field) => `settings.${field.name}`),
    ...form.credentials.map((field) => `credentials.${field.name}`),
  ]
  return (
    <>
      <PageHeading title={t('Connect an operator')} />
      <form onSubmit={submit} className="stacked">
        <div className="halves">
          <Panel title={t('Account')}>
            <AccountFields draft={draft} error={create.error} onChange={change} />
          </Panel>
          <Panel title={t('Settings')}>
            <Stack gap="sm">
              <FieldInputs
                fields={form.settings}
                values={settings}
                path="settings."
                error={create.error}
                onChange={(field, value) => change({ settings: { ...settings, [field]: value } })}
              />
            </Stack>
          </Panel>
        </div>
        <Refusal error={refusalElsewhere(create.error, shown)} />
        <Group justify="flex-end" gap="sm">
          <Text size="sm" c="dimmed">
            {t('Nothing is asked of the operator yet: test the connection on the next page.')}
          </Text>
          <Button variant="default" renderRoot={(props) => <Link to="/settings/operators" {...props} />}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={create.isPending} disabled={!isReady}>
            {t('Connect')}
          </Button>
        </Group>
      </form>
    </>
  )
}

type AccountFieldsProps = { draft: Draft; error: Error | null; onChange: (changed: Partial<Draft>) => void }

function AccountFields({ draft: { operator, name, baseUrl, credentials }, error, onChange }: AccountFieldsProps) {
  const form = operatorForms[operator]
  return (
    <Stack gap="sm">
      <Select
        label={t('Operator')}
        allowDeselect={false}
        value={operator}
        data={operators.map((value) => ({ value, label: operatorForms[value].product }))}
        onChange={(value) => onChange({ operator: operators.find((each) => each === value) ?? 'cisco', baseUrl: undefined })}
      />
      <TextInput
        label={t('Name')}
        description={t('For people: which account it is')}
        required
        maxLength={100}
        value={name}
        error={refusalOf(error, 'name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t('Address of the API')}
        description={t('As the documents of the operator name it for your account')}
        type="url"
        required
        maxLength={500}
        value={baseUrl ?? form.baseUrl}
        error={refusalOf(error, 'base_url')}
        onChange={(event) => onChange({ baseUrl: event.currentTarget.value })}
      />
      <FieldInputs
        fields={form.credentials}
        values={credentials}
        path="credentials."
        error={error}
        onChange={(field, value) => onChange({ credentials: { ...credentials, [field]: value } })}
      />
      <Text size="xs" c="dimmed">
        {t('Credentials are sealed where they are stored, and never shown again.')}
      </Text>
    </Stack>
  )
}
