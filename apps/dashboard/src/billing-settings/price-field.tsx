import { TextInput } from '@mantine/core'

type PriceFieldProps = {
  label: string
  description?: string
  /** So that fields beside it, which have no description, stand on one line with it. */
  isDescriptionBelow?: boolean
  unit: string
  value: string
  error: string | undefined
  isRequired?: boolean
  onChange: (value: string) => void
}

/** Decimal text, as it is stored: a number would round what a price has. */
export function PriceField({
  label,
  description,
  isDescriptionBelow = false,
  unit,
  value,
  error,
  isRequired = true,
  onChange,
}: PriceFieldProps) {
  return (
    <TextInput
      label={label}
      description={description}
      inputWrapperOrder={isDescriptionBelow ? ['label', 'input', 'description', 'error'] : ['label', 'description', 'input', 'error']}
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
