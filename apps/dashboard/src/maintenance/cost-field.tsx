import { Group, Select } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useState } from 'react'
import { DecimalField } from '../shell/decimal-field.tsx'
import { majorText } from '../text/money.ts'
import { t } from '../text/translate.ts'
import { type Cost, readCost } from './cost-entry.ts'

/** More would be slow, and nobody reads them: a person types a few letters. */
const MAX_CURRENCIES = 50

type CostFieldProps = { amount: string; currency: string; error: string | undefined; onChange: (amount: string, currency: string) => void }

export function CostField({ amount, currency, error, onChange }: CostFieldProps) {
  return (
    <Group gap="xs" align="flex-start" grow preventGrowOverflow={false}>
      <DecimalField label={t('Cost')} maxLength={24} value={amount} error={error} onChange={(typed) => onChange(typed, currency)} />
      <Select
        label={t('Currency')}
        searchable
        limit={MAX_CURRENCIES}
        value={currency === '' ? null : currency}
        onChange={(chosen) => onChange(amount, chosen ?? '')}
        data={Intl.supportedValuesOf('currency')}
      />
    </Group>
  )
}

/** The currency that was last used on this computer is suggested. */
export function useCostEntry(known: Cost | null) {
  const [lastCurrency, setLastCurrency] = useLocalStorage({ key: 'maintenance-currency', defaultValue: '', getInitialValueInEffect: false })
  const [amount, setAmount] = useState(known === null ? '' : majorText(known.amount_minor, known.currency))
  const [currency, setCurrency] = useState(known?.currency ?? lastCurrency)
  const [error, setError] = useState<string>()
  const read = (): Cost | undefined | 'refused' => {
    try {
      const cost = readCost(amount, currency)
      if (cost !== undefined) setLastCurrency(cost.currency)
      return cost
    } catch (refusal) {
      setError((refusal as Error).message)
      return 'refused'
    }
  }
  const onChange = (newAmount: string, newCurrency: string) => {
    setAmount(newAmount)
    setCurrency(newCurrency)
    setError(undefined)
  }
  return { read, field: { amount, currency, error, onChange } }
}
