import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Device } from '@roadworthy/contracts/platform-v1/devices'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deviceQuery, offeredDevicesQuery } from '../api/device-queries.ts'
import { t } from '../text/translate.ts'
import { deviceLabel } from './device-label.ts'

const TYPING_PAUSE_MS = 250

type DeviceSelectProps = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchable' | 'filter'> & {
  value: string | null
  onChange: (deviceId: string | null) => void
  /** Of those that are found, which are offered. */
  isOffered: (device: Device) => boolean
}

/** A device of however many: what is typed is looked for by the service. */
export function DeviceSelect({ value, onChange, isOffered, ...rest }: DeviceSelectProps) {
  const chosen = useQuery({ ...deviceQuery(value ?? ''), enabled: value !== null, refetchInterval: false }).data
  const [typed, setTyped] = useState('')
  const chosenLabel = chosen === undefined ? undefined : deviceLabel(chosen)
  // Mantine writes the label of what is chosen into the field; that is no search.
  const [search] = useDebouncedValue(typed === chosenLabel ? '' : typed.trim(), TYPING_PAUSE_MS)
  const found = useQuery(offeredDevicesQuery(search)).data?.devices ?? []
  const offered = found.filter((device) => device.id !== value && isOffered(device))
  const options = [
    ...(value === null ? [] : [{ value, label: chosenLabel ?? value }]),
    ...offered.map((device) => ({ value: device.id, label: deviceLabel(device) })),
  ]
  return (
    <Select
      {...rest}
      searchable
      value={value}
      data={options}
      filter={({ options: all }) => all}
      nothingFoundMessage={t('No device matches')}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  )
}
