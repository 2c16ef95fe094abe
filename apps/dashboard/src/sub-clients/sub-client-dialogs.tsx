import { List, Text } from '@mantine/core'
import type { SubClient, SubClientDeactivation } from '@roadworthy/contracts/platform-v1/sub-clients'
import { useQuery } from '@tanstack/react-query'
import { deactivationQuery, useChangeSubClient, useDeactivateSubClient } from '../api/sub-client-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { TypedConfirmation } from '../shell/typed-confirmation.tsx'
import { t } from '../text/translate.ts'
import { deactivationLines } from './deactivation-lines.ts'

type DialogProps = { subClient: SubClient; onClose: () => void }

export function SuspendDialog({ subClient, onClose }: DialogProps) {
  const change = useChangeSubClient(subClient.id)
  const isActive = subClient.status === 'active'
  return (
    <Confirmation
      title={isActive ? t('Suspend {name}', { name: subClient.name }) : t('Activate {name}', { name: subClient.name })}
      text={
        isActive
          ? t('Its readings are refused and nothing of it can be changed, until you activate it. What is stored can be read.')
          : subClient.status === 'suspended'
            ? t('Its readings are taken again and it can be changed.')
            : t('Its readings are taken again and it can be changed. Devices that left it do not come back by themselves.')
      }
      label={isActive ? t('Suspend') : t('Activate')}
      change={change}
      onConfirm={() => change.mutate({ status: isActive ? 'suspended' : 'active' }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

export function DeactivateDialog({ subClient, onClose }: DialogProps) {
  const deactivate = useDeactivateSubClient(subClient.id)
  const asked = useQuery(deactivationQuery(subClient.id))
  return (
    <TypedConfirmation
      title={t('Deactivate {name}', { name: subClient.name })}
      text={t('This is what it does now:')}
      label={t('Deactivate')}
      word={subClient.id}
      change={deactivate}
      onConfirm={() => deactivate.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {asked.data === undefined ? <NotLoaded asked={asked} what={t('effect')} /> : <Effects deactivation={asked.data} />}
      <Text size="sm">{t('You can activate it again; its devices have to be assigned one by one.')}</Text>
    </TypedConfirmation>
  )
}

function Effects({ deactivation }: { deactivation: SubClientDeactivation }) {
  return (
    <List size="sm">
      {deactivationLines(deactivation).map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  )
}
