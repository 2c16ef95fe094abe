import { Checkbox, Stack } from '@mantine/core'
import type { RatePlan } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { CountField } from '../shell/count-field.tsx'
import { refusalOf } from '../shell/field-refusal.ts'
import { t } from '../text/translate.ts'
import { PriceField } from './price-field.tsx'

export type PlanPrices = RatePlan['prices']
type PriceName = 'rental' | 'overage_per_megabyte' | 'activation_fee' | 'custody_fee'

export const noPrices: PlanPrices = {
  rental: '',
  included_megabytes: '',
  overage_per_megabyte: '',
  activation_fee: '0',
  custody_fee: '0',
  custody_min_days: 30,
  pooled: false,
  prorated: true,
}

export const planPriceFields = Object.keys(noPrices).map((name) => `prices.${name}`)

const priceFields: readonly { readonly name: PriceName; readonly label: string; readonly description: string }[] = [
  { name: 'rental', label: t('Rental'), description: t('A month, of a SIM that is active or suspended') },
  { name: 'overage_per_megabyte', label: t('Each MB beyond what is included'), description: t('Of 1,048,576 bytes') },
  { name: 'activation_fee', label: t('Activation fee'), description: t('Once in the life of a SIM') },
  { name: 'custody_fee', label: t('Custody fee'), description: t('A month in safe custody, instead of the rental') },
]

type PlanFieldsProps = { prices: PlanPrices; currency: string; error: Error | null; onChange: (prices: PlanPrices) => void }

export function PlanFields({ prices, currency, error, onChange }: PlanFieldsProps) {
  const set = (change: Partial<PlanPrices>) => onChange({ ...prices, ...change })
  const [rental, ...others] = priceFields
  const field = ({ name, label, description }: (typeof priceFields)[number]) => (
    <PriceField
      key={name}
      label={label}
      description={description}
      unit={currency}
      value={prices[name]}
      error={refusalOf(error, `prices.${name}`)}
      onChange={(value) => set({ [name]: value })}
    />
  )
  return (
    <Stack gap="sm">
      {rental !== undefined && field(rental)}
      <PriceField
        label={t('Included data')}
        description={t('A month')}
        unit="MB"
        value={prices.included_megabytes}
        error={refusalOf(error, 'prices.included_megabytes')}
        onChange={(value) => set({ included_megabytes: value })}
      />
      {others.map(field)}
      <CountField
        label={t('Least number of days in safe custody')}
        description={t('One that ends earlier bears the fee for so many days.')}
        min={0}
        max={3650}
        hideControls
        value={prices.custody_min_days}
        error={refusalOf(error, 'prices.custody_min_days')}
        onChange={(days) => set({ custody_min_days: days })}
      />
      <Checkbox
        label={t('All SIMs of a customer share the included data')}
        checked={prices.pooled}
        onChange={(event) => set({ pooled: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('By days')}
        description={t('Rental, included data and custody fee are of the days that a SIM is there; else of whole months.')}
        checked={prices.prorated}
        onChange={(event) => set({ prorated: event.currentTarget.checked })}
      />
    </Stack>
  )
}

export function hasPrices({ rental, included_megabytes: megabytes, overage_per_megabyte: overage }: PlanPrices): boolean {
  return [rental, megabytes, overage].every((each) => each.trim() !== '')
}
