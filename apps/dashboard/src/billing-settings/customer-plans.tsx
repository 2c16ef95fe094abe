import { Button, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ratePlansQuery } from '../api/billing-queries.ts'
import { refusalOf } from '../shell/field-refusal.ts'
import { t } from '../text/translate.ts'
import { hasPrices, noPlanPrices, type PlanEdits, type PlanPriceName, planPriceNames } from './customer-edits.ts'
import { PriceField } from './price-field.tsx'

const priceLabels: Readonly<Record<PlanPriceName, string>> = {
  rental: t('Rental'),
  overage_per_megabyte: t('Each MB beyond what is included'),
  activation_fee: t('Activation fee'),
  custody_fee: t('Custody fee'),
}

type CustomerPlansProps = {
  plans: readonly PlanEdits[]
  currency: string
  error: Error | null
  onChange: (plans: readonly PlanEdits[]) => void
}

/** Rate plans of which this customer has prices of its own. */
export function CustomerPlans({ plans, currency, error, onChange }: CustomerPlansProps) {
  const known = useQuery(ratePlansQuery).data?.rate_plans ?? []
  const names = new Map(known.map(({ plan_id: id, name }) => [id, name]))
  const isTaken = (id: string) => plans.some(({ planId }) => planId === id)
  const set = (i: number, prices: PlanEdits['prices']) => onChange(plans.map((plan, at) => (at === i ? { ...plan, prices } : plan)))
  const wrong = refusalOf(error, 'plan_overrides')
  const free = known.filter(({ plan_id: id }) => !isTaken(id))
  return (
    <>
      {plans.map(({ planId, prices }, i) => (
        <fieldset key={planId} className="meter-prices">
          <legend>{t('Rate plan {plan}', { plan: names.get(planId) ?? planId })}</legend>
          {planPriceNames.map((name) => (
            <PriceField
              key={name}
              label={priceLabels[name]}
              unit={currency}
              isRequired={false}
              value={prices[name]}
              error={refusalOf(error, pathOf(plans, i, name))}
              onChange={(own) => set(i, { ...prices, [name]: own })}
            />
          ))}
          <Button
            size="xs"
            variant="default"
            c="red"
            className="remove"
            aria-label={t('Remove the prices of {plan}', { plan: names.get(planId) ?? planId })}
            onClick={() => onChange(plans.filter((_, at) => at !== i))}
          >
            {t('Remove')}
          </Button>
        </fieldset>
      ))}
      {wrong !== undefined && (
        <Text size="sm" c="red" role="alert">
          {wrong}
        </Text>
      )}
      {free.length > 0 && (
        <Select
          label={t('Own prices of a rate plan')}
          placeholder={t('Choose')}
          searchable
          value={null}
          data={free.map(({ plan_id: value, name }) => ({ value, label: name }))}
          onChange={(planId) => {
            if (planId !== null) onChange([...plans, { planId, prices: noPlanPrices }])
          }}
        />
      )}
    </>
  )
}

export function customerPlanPaths(plans: readonly PlanEdits[]): string[] {
  return plans.flatMap((_, i) => planPriceNames.map((name) => pathOf(plans, i, name)))
}

/** As it was sent, which plans without a price were not. */
function pathOf(plans: readonly PlanEdits[], i: number, name: PlanPriceName): string {
  return `plan_overrides.${plans.slice(0, i).filter(hasPrices).length}.prices.${name}`
}
