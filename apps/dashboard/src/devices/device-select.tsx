import type { Device } from '@roadworthy/contracts/platform-v1/devices'
import { useQuery } from '@tanstack/react-query'
import { deviceQuery, offeredDevicesQuery } from '../api/device-queries.ts'
import { FoundSelect, type FoundSelectProps, useSearchText } from '../shell/found-select.tsx'
import { t } from '../text/translate.ts'
import { deviceLabel } from './device-label.ts'

/** `isOffered`: of the devices that are found, which are offered. */
export function DeviceSelect({ isOffered, ...rest }: FoundSelectProps & { isOffered: (device: Device) => boolean }) {
  const { value } = rest
  const chosen = useQuery({ ...deviceQuery(value ?? ''), enabled: value !== null, refetchInterval: false }).data
  const chosenLabel = chosen === undefined ? undefined : deviceLabel(chosen)
  const [search, type] = useSearchText(chosenLabel)
  const devices = useQuery(offeredDevicesQuery(search)).data?.devices ?? []
  const found = devices.filter(isOffered).map((device) => ({ value: device.id, label: deviceLabel(device) }))
  return (
    <FoundSelect {...rest} chosenLabel={chosenLabel} found={found} nothingFoundMessage={t('No device matches')} onSearchChange={type} />
  )
}
