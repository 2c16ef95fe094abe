import { DecimalField } from '../shell/decimal-field.tsx'

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

/** Decimal text with its currency or unit. */
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
    <DecimalField
      label={label}
      description={description}
      inputWrapperOrder={isDescriptionBelow ? ['label', 'input', 'description', 'error'] : ['label', 'description', 'input', 'error']}
      required={isRequired}
      value={value}
      error={error}
      rightSection={<span className="field-unit">{unit}</span>}
      rightSectionWidth={56}
      onChange={onChange}
    />
  )
}
