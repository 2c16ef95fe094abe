import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { decimalText, typedDecimal } from '../text/number-marks.ts'

type DecimalFieldProps = Omit<TextInputProps, 'value' | 'onChange' | 'inputMode' | 'autoComplete'> & {
  /** Decimal text, as it is stored: a number would round what a price has. */
  value: string
  onChange: (value: string) => void
}

/** What is typed stays as it was typed, with the marks of the language; `onChange` is given decimal text. */
export function DecimalField({ value, onChange, ...others }: DecimalFieldProps) {
  const [typed, setTyped] = useState('')
  return (
    <TextInput
      {...others}
      inputMode="decimal"
      autoComplete="off"
      value={decimalText(typed) === value ? typed : typedDecimal(value)}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onChange(decimalText(event.currentTarget.value))
      }}
    />
  )
}
