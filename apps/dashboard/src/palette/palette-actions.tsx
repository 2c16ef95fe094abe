import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { Spotlight } from '@mantine/spotlight'
import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useSignOut } from '../api/queries.ts'
import { vehicleKind, vehicleLabel } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { pageCommands } from './commands.ts'
import type { FoundThings } from './found-things.ts'

export function usePageActions(session: Session, words: string): readonly ReactElement[] {
  const navigate = useNavigate()
  return pageCommands(session, words).map(({ to, label, group }) => (
    <Spotlight.Action key={to} label={label} description={group} onClick={() => void navigate({ to })} />
  ))
}

export function useThingActions({ vehicles, devices, subClients }: FoundThings): readonly ReactElement[] {
  const navigate = useNavigate()
  return [
    ...vehicles.map((vehicle) => (
      <Spotlight.Action
        key={vehicle.id}
        label={vehicleLabel(vehicle)}
        description={[t('Vehicle'), vehicleKind(vehicle)].filter((part) => part !== '').join(' · ')}
        onClick={() => void navigate({ to: '/vehicles/$vehicleId', params: { vehicleId: vehicle.id } })}
      />
    )),
    ...devices.map(({ id, name, imei }) => (
      <Spotlight.Action
        key={id}
        label={name ?? imei ?? id}
        description={[t('Device'), imei].filter((part) => part !== null).join(' · ')}
        onClick={() => void navigate({ to: '/devices/$deviceId', params: { deviceId: id } })}
      />
    )),
    ...subClients.map(({ id, name }) => (
      <Spotlight.Action
        key={id}
        label={name}
        description={t('Sub-client')}
        onClick={() => void navigate({ to: '/sub-clients/$subClientId', params: { subClientId: id } })}
      />
    )),
  ]
}

export function useCommandActions(words: string): readonly ReactElement[] {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const signOut = useSignOut()
  const commands = [
    scheme === 'dark'
      ? { label: t('Use light colours'), run: () => setColorScheme('light') }
      : { label: t('Use dark colours'), run: () => setColorScheme('dark') },
    { label: t('Sign out'), run: () => signOut.mutate() },
  ]
  return commands
    .filter(({ label }) => label.toLocaleLowerCase().includes(words.toLocaleLowerCase()))
    .map(({ label, run }) => <Spotlight.Action key={label} label={label} onClick={run} />)
}
