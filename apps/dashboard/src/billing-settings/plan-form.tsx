import { Button, Group, Stack, TextInput } from '@mantine/core'
import type { RatePlan, RatePlanUpdate } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { type FormEvent, useState } from 'react'
import { useChangeRatePlan } from '../api/billing-queries.ts'
import { changesOf } from '../shell/changes-of.ts'
import { refusalElsewhere, refusalOf } from '../shell/field-refusal.ts'
import { showNotice } from '../shell/notice.ts'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { isMonth, MonthField } from './month-field.tsx'
import { hasPrices, PlanFields, type PlanPrices, planPriceFields } from './plan-fields.tsx'
import { versionUnder } from './plan-words.ts'
import { useThisMonth } from './use-this-month.ts'

const SHOWN = ['name', 'operator_plan', 'effective_from', ...planPriceFields]

/** As typed; what was not touched is left out. */
type PlanEdits = { name?: string; operatorPlan?: string; month?: string; prices?: Partial<PlanPrices> }

export function PlanForm({ plan, currency }: { plan: RatePlan; currency: string }) {
  const change = useChangeRatePlan(plan.plan_id)
  const [typed, setTyped] = useState<PlanEdits>({})
  const current = useThisMonth()
  const { name = plan.name, operatorPlan = plan.operator_plan ?? '' } = typed
  const month = typed.month ?? (plan.effective_from > current ? plan.effective_from : current)
  const prices = { ...plan.prices, ...typed.prices }
  const edit = (changed: PlanEdits) => {
    change.reset()
    setTyped({ ...typed, ...changed })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate((versions) => updateOf(plan, versions, { ...typed, month }), {
      onSuccess: () => {
        setTyped({})
        showNotice({ text: t('The new version is stored.') })
      },
    })
  }
  return (
    <Panel title={t('Change it')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            description={t('As on invoices')}
            required
            maxLength={200}
            value={name}
            error={refusalOf(change.error, 'name')}
            onChange={(event) => edit({ name: event.currentTarget.value })}
          />
          <TextInput
            label={t('Name at the operator')}
            description={t('SIMs that are on that plan at the operator take this one by themselves.')}
            maxLength={200}
            value={operatorPlan}
            error={refusalOf(change.error, 'operator_plan')}
            onChange={(event) => edit({ operatorPlan: event.currentTarget.value })}
          />
          <PlanFields
            prices={prices}
            currency={currency}
            error={change.error}
            onChange={(changed) => edit({ prices: changesOf(changed, plan.prices) })}
          />
          <MonthField month={month} error={change.error} onChange={(changed) => edit({ month: changed })} />
          <Refusal error={refusalElsewhere(change.error, SHOWN)} />
          <Group justify="flex-end">
            <Button
              type="submit"
              size="sm"
              loading={change.isPending}
              disabled={name.trim() === '' || !isMonth(month) || !hasPrices(prices)}
            >
              {t('Store the new version')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}

function updateOf(plan: RatePlan, versions: readonly RatePlan[], typed: PlanEdits & { month: string }): RatePlanUpdate {
  const { name, operatorPlan, month, prices } = typed
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(operatorPlan === undefined ? {} : { operator_plan: operatorPlan.trim() === '' ? null : operatorPlan.trim() }),
    effective_from: month,
    prices: { ...(versionUnder(plan, versions, month) ?? plan).prices, ...prices },
  }
}
