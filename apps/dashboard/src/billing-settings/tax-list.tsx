import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { DecimalField } from '../shell/decimal-field.tsx'
import { refusalOf } from '../shell/field-refusal.ts'
import { t } from '../text/translate.ts'
import { planIdOf } from './plan-id.ts'
import type { Tax } from './settings-edits.ts'

const MAX_TAXES = 20
const FIELDS = ['tax_id', 'name', 'rate_percent', 'category', 'exemption_reason'] as const

const categories: readonly { readonly value: Tax['category']; readonly label: string }[] = [
  { value: 'S', label: t('Standard rate') },
  { value: 'Z', label: t('Zero rated') },
  { value: 'E', label: t('Exempt') },
  { value: 'AE', label: t('Reverse charge') },
  { value: 'O', label: t('Outside the scope of tax') },
]

type TaxListProps = { taxes: readonly Tax[]; error: Error | null; onChange: (taxes: readonly Tax[]) => void }

/** Each is a line on every invoice, on the sum of its lines. */
export function TaxList({ taxes, error, onChange }: TaxListProps) {
  const set = (i: number, change: Partial<Tax>) => onChange(taxes.map((tax, at) => (at === i ? { ...tax, ...change } : tax)))
  const wrong = refusalOf(error, 'taxes')
  return (
    <Stack gap="sm">
      {taxes.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('None: invoices bear no tax.')}
        </Text>
      )}
      {taxes.map((tax, i) => (
        <TaxFields
          // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that a tax has until it has a name.
          key={i}
          tax={tax}
          place={i}
          error={error}
          onChange={(change) => set(i, change)}
          onRemove={() => onChange(taxes.filter((_, at) => at !== i))}
        />
      ))}
      {wrong !== undefined && (
        <Text size="sm" c="red" role="alert">
          {wrong}
        </Text>
      )}
      {taxes.length < MAX_TAXES && (
        <Group>
          <Button
            size="xs"
            variant="default"
            onClick={() => onChange([...taxes, { tax_id: '', name: '', rate_percent: '', category: 'S', exemption_reason: null }])}
          >
            {t('Add a tax')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

export function taxPaths(taxes: readonly Tax[]): string[] {
  return ['taxes', ...taxes.flatMap((_, i) => FIELDS.map((field) => `taxes.${i}.${field}`))]
}

type TaxFieldsProps = { tax: Tax; place: number; error: Error | null; onChange: (change: Partial<Tax>) => void; onRemove: () => void }

function TaxFields({ tax, place, error, onChange, onRemove }: TaxFieldsProps) {
  const wrong = (field: (typeof FIELDS)[number]) => refusalOf(error, `taxes.${place}.${field}`)
  return (
    <fieldset className="meter-prices">
      <legend>{tax.name === '' ? t('New tax') : tax.name}</legend>
      <TextInput
        label={t('Name')}
        description={t('As on the invoice')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        maxLength={100}
        value={tax.name}
        error={wrong('name') ?? wrong('tax_id')}
        onChange={(event) => {
          const name = event.currentTarget.value
          // The id follows the name until somebody gives it another: customers name a tax by it.
          onChange(tax.tax_id === planIdOf(tax.name) ? { name, tax_id: planIdOf(name) } : { name })
        }}
      />
      <Select
        label={t('Kind')}
        allowDeselect={false}
        value={tax.category}
        data={[...categories]}
        error={wrong('category')}
        onChange={(value) => {
          const category = categories.find((each) => each.value === value)?.value ?? 'S'
          onChange(category === 'S' ? { category } : { category, rate_percent: '0' })
        }}
      />
      {tax.category === 'S' ? (
        <DecimalField
          label={t('Percent')}
          required
          value={tax.rate_percent}
          error={wrong('rate_percent')}
          onChange={(rate) => onChange({ rate_percent: rate })}
        />
      ) : (
        <TextInput
          label={t('Why nothing is charged')}
          maxLength={500}
          value={tax.exemption_reason ?? ''}
          error={wrong('exemption_reason')}
          onChange={(event) => onChange({ exemption_reason: event.currentTarget.value })}
        />
      )}
      <Button
        size="xs"
        variant="default"
        c="red"
        className="remove"
        aria-label={t('Remove the tax {name}', { name: tax.name })}
        onClick={onRemove}
      >
        {t('Remove')}
      </Button>
    </fieldset>
  )
}
