import { NumberInput, PasswordInput, Select, TextInput } from '@mantine/core'
import { refusalOf } from '../shell/field-refusal.ts'
import type { Field, Values } from './field.ts'

type FieldInputsProps = {
  fields: readonly Field[]
  values: Values
  /** Where the fields are in the body, such as `settings.`. */
  path?: string
  error: Error | null
  onChange: (name: string, value: string | number) => void
}

/** Browsers leave UTC out. */
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

export function FieldInputs({ fields, values, path = '', error, onChange }: FieldInputsProps) {
  return fields.map((field) => (
    <FieldInput
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      error={refusalOf(error, path + field.name)}
      onChange={(value) => onChange(field.name, value)}
    />
  ))
}

type FieldInputProps = { field: Field; value: string | number; error: string | undefined; onChange: (value: string | number) => void }

function FieldInput({ field, value, error, onChange }: FieldInputProps) {
  const { label, description, kind, isRequired = false, choices = [] } = field
  const shared = { label, description, error, required: isRequired }
  if (kind === 'number') return <NumberInput {...shared} value={value} min={0} allowDecimal={false} hideControls onChange={onChange} />
  if (kind === 'zone' || kind === 'choice') {
    const chosen = String(value)
    // A name that this browser does not list, such as an older one of the same zone, is kept.
    const options = kind === 'choice' ? [...choices] : zones.includes(chosen) || chosen === '' ? zones : [chosen, ...zones]
    return (
      <Select
        {...shared}
        value={chosen === '' ? null : chosen}
        data={options}
        searchable={kind === 'zone'}
        clearable={!isRequired}
        onChange={(picked) => onChange(picked ?? '')}
      />
    )
  }
  const Input = kind === 'secret' ? PasswordInput : TextInput
  return (
    <Input
      {...shared}
      value={String(value)}
      maxLength={1_000}
      // What a browser keeps for this site is the password of the person, which is none of the operator's.
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
