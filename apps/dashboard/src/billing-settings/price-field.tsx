import { TextInput } from '@mantine/core'

type PriceFieldProps = {
  label: string
  description?: string
  unit: string
  value: string
  error: string | undefined
  isRequired?: boolean
  onChange: (value: string) => void
}

/** Decimal text, as it is stored: a number would round what a price has. */
export function PriceField({ label, description, unit, value, error, isRequired = true, onChange }: PriceFieldProps) {
  return (
    <TextInput
      label={label}
      description={description}
      inputMode="decimal"
      autoComplete="off"
      required={isRequired}
      value={value}
      error={error}
      rightSection={<span className="field-unit">{unit}</span>}
      rightSectionWidth={56}
      // A comma is what many keyboards have for decimals.
      onChange={(event) => onChange(event.currentTarget.value.replace(',', '.'))}
    />
  )
}
