import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ratePlansQuery } from '../api/billing-queries.ts'
import { t } from '../text/translate.ts'

type PlanSelectProps = {
  value: string | null
  placeholder: string
  /** What is offered before the plans. */
  others?: readonly { readonly value: string; readonly label: string }[]
  onChange: (planId: string | null) => void
}

/** An archived plan is for no further SIM; one that has it keeps it. */
export function PlanSelect({ value, placeholder, others = [], onChange }: PlanSelectProps) {
  const plans = useQuery(ratePlansQuery).data?.rate_plans ?? []
  const known = plans.filter((plan) => plan.archived_at === null || plan.plan_id === value)
  const options = known.map((plan) => ({ value: plan.plan_id, label: plan.name }))
  const isUnknown = value !== null && [...others, ...options].every((option) => option.value !== value)
  return (
    <Select
      label={t('Rate plan')}
      placeholder={placeholder}
      clearable
      searchable
      value={value}
      data={[...others, ...(isUnknown ? [{ value, label: value }] : []), ...options]}
      onChange={onChange}
    />
  )
}
