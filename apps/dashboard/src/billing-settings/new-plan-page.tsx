import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { billingSettingsQuery, useCreateRatePlan } from '../api/billing-queries.ts'
import { refusalElsewhere, refusalOf } from '../shell/field-refusal.ts'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { isMonth, MonthField } from './month-field.tsx'
import { hasPrices, noPrices, PlanFields, planPriceFields } from './plan-fields.tsx'
import { planIdOf } from './plan-id.ts'
import { useThisMonth } from './use-this-month.ts'

const SHOWN = ['name', 'plan_id', 'operator_plan', 'effective_from', ...planPriceFields]

/** Until somebody writes another, the id is made of the name. */
type Draft = { readonly name: string; readonly ownId: string | undefined; readonly operatorPlan: string }

function idOf({ name, ownId }: Draft): string {
  return ownId ?? planIdOf(name)
}

export function NewPlanPage() {
  const create = useCreateRatePlan()
  const navigate = useNavigate()
  const currency = useQuery(billingSettingsQuery).data?.settings?.currency ?? ''
  const [draft, setDraft] = useState<Draft>({ name: '', ownId: undefined, operatorPlan: '' })
  const current = useThisMonth()
  const [month, setMonth] = useState(current)
  const [prices, setPrices] = useState(noPrices)
  const { name, operatorPlan } = draft
  const planId = idOf(draft)
  const isReady = name.trim() !== '' && planId !== '' && isMonth(month) && hasPrices(prices)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(
      {
        plan_id: planId,
        name: name.trim(),
        operator_plan: operatorPlan.trim() === '' ? null : operatorPlan.trim(),
        effective_from: month,
        prices,
      },
      { onSuccess: ({ rate_plan: made }) => void navigate({ to: '/settings/rate-plans/$planId', params: { planId: made.plan_id } }) },
    )
  }
  return (
    <>
      <PageHeading title={t('New rate plan')} />
      <form onSubmit={submit} className="stacked">
        <div className="halves">
          <Panel title={t('Rate plan')}>
            <Stack gap="sm">
              <Naming draft={draft} error={create.error} onChange={(changed) => setDraft({ ...draft, ...changed })} />
              <MonthField month={month} error={create.error} onChange={setMonth} />
            </Stack>
          </Panel>
          <Panel title={t('Prices')}>
            <PlanFields prices={prices} currency={currency} error={create.error} onChange={setPrices} />
          </Panel>
        </div>
        <Refusal error={refusalElsewhere(create.error, SHOWN)} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" renderRoot={(props) => <Link to="/settings/rate-plans" {...props} />}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={create.isPending} disabled={!isReady}>
            {t('Make the rate plan')}
          </Button>
        </Group>
      </form>
    </>
  )
}

function Naming({ draft, error, onChange }: { draft: Draft; error: Error | null; onChange: (changed: Partial<Draft>) => void }) {
  return (
    <>
      <TextInput
        label={t('Name')}
        description={t('As on invoices')}
        required
        maxLength={200}
        value={draft.name}
        error={refusalOf(error, 'name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t('Id')}
        description={t('In addresses and files; it never changes')}
        required
        maxLength={64}
        autoComplete="off"
        value={idOf(draft)}
        error={refusalOf(error, 'plan_id')}
        onChange={(event) => onChange({ ownId: event.currentTarget.value === '' ? undefined : event.currentTarget.value.toLowerCase() })}
      />
      <TextInput
        label={t('Name at the operator')}
        description={t('SIMs that are on that plan at the operator take this one by themselves.')}
        maxLength={200}
        value={draft.operatorPlan}
        error={refusalOf(error, 'operator_plan')}
        onChange={(event) => onChange({ operatorPlan: event.currentTarget.value })}
      />
    </>
  )
}
