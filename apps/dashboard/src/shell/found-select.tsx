import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'

const TYPING_PAUSE_MS = 250

export type FoundSelectProps = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchable' | 'filter'> & {
  value: string | null
  onChange: (value: string | null) => void
}
type Option = { readonly value: string; readonly label: string }
type Found = { chosenLabel: string | undefined; found: readonly Option[]; onSearchChange: (typed: string) => void }

/** What is typed, once it rests, and what takes it. Mantine writes the label of what is chosen into the field; that is no search. */
export function useSearchText(chosenLabel: string | undefined): [search: string, type: (typed: string) => void] {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed === chosenLabel ? '' : typed.trim(), TYPING_PAUSE_MS)
  return [search, setTyped]
}

/** One of however many: what is typed is looked for by the service, and what is found is offered. */
export function FoundSelect({ value, chosenLabel, found, ...rest }: FoundSelectProps & Found) {
  const options = [...(value === null ? [] : [{ value, label: chosenLabel ?? value }]), ...found.filter((option) => option.value !== value)]
  return <Select {...rest} searchable value={value} data={options} filter={({ options: all }) => all} />
}
