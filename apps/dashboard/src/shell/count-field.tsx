import { NumberInput, type NumberInputProps } from '@mantine/core'

type CountFieldProps = Omit<NumberInputProps, 'value' | 'onChange' | 'allowDecimal'> & {
  /** NaN: nothing is entered. */
  value: number
  onChange: (value: number) => void
}

/**
 * A whole number that is needed. Emptied, it stays empty, and its form cannot be sent: a least number in its place would stand before the digits that are
 * typed next, so that 45 became 450 or 145.
 */
export function CountField({ value, onChange, ...others }: CountFieldProps) {
  return (
    <NumberInput
      required
      {...others}
      allowDecimal={false}
      value={Number.isNaN(value) ? '' : value}
      onChange={(typed) => onChange(typed === '' ? Number.NaN : Number(typed))}
    />
  )
}
