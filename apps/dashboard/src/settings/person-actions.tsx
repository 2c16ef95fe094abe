import { Button, Group } from '@mantine/core'
import type { User } from '@roadworthy/contracts/platform-v1/users'
import { useState } from 'react'
import { useChangePerson, useRemovePerson } from '../api/people-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { useDialog } from '../shell/dialogs.tsx'
import { TypedConfirmation } from '../shell/typed-confirmation.tsx'
import { t } from '../text/translate.ts'
import { RoleFields } from './role-fields.tsx'
import { isWholeRole, roleFields } from './roles.ts'

type PersonProps = { person: User; onClose: () => void }

const dialogs = { role: RoleDialog, access: AccessDialog, remove: RemoveDialog } as const

export function PersonActions({ person }: { person: User }) {
  const openDialog = useDialog()
  const choose = (action: keyof typeof dialogs) => {
    const Dialog = dialogs[action]
    openDialog((close) => <Dialog person={person} onClose={close} />)
  }
  const labels = { role: t('Change role'), access: person.status === 'deactivated' ? t('Let in') : t('Disable'), remove: t('Remove') }
  return (
    <Group gap={6} justify="flex-end">
      {(['role', 'access', 'remove'] as const).map((action) => (
        <Button key={action} size="xs" variant="default" onClick={() => choose(action)} aria-label={`${labels[action]}: ${person.email}`}>
          {labels[action]}
        </Button>
      ))}
    </Group>
  )
}

function RoleDialog({ person, onClose }: PersonProps) {
  const change = useChangePerson(person.id)
  const [chosen, setChosen] = useState({ role: person.role, subClientId: person.subClientId ?? '' })
  return (
    <Confirmation
      title={t('The role of {email}', { email: person.email })}
      text={t('It applies from their next request on.')}
      label={t('Change role')}
      change={change}
      isReady={isWholeRole(chosen.role, chosen.subClientId)}
      onConfirm={() => change.mutate(roleFields(chosen.role, chosen.subClientId), { onSuccess: onClose })}
      onClose={onClose}
    >
      <RoleFields {...chosen} onChange={(role, subClientId) => setChosen({ role, subClientId })} />
    </Confirmation>
  )
}

function AccessDialog({ person, onClose }: PersonProps) {
  const change = useChangePerson(person.id)
  const isOut = person.status === 'deactivated'
  return (
    <Confirmation
      title={isOut ? t('Let in {email}', { email: person.email }) : t('Disable {email}', { email: person.email })}
      text={
        isOut
          ? t('They can sign in again.')
          : t('Their sessions and links end on the next request, and they cannot sign in. You can let them in again at any time.')
      }
      label={isOut ? t('Let in') : t('Disable')}
      color={isOut ? undefined : 'red'}
      change={change}
      onConfirm={() => change.mutate({ status: isOut ? 'active' : 'deactivated' }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

function RemoveDialog({ person, onClose }: PersonProps) {
  const remove = useRemovePerson(person.id)
  return (
    <TypedConfirmation
      title={t('Remove {email}', { email: person.email })}
      text={t(
        'Their sessions and links end and their address is free again. What they did stays in the audit log. To come back they have to be invited.',
      )}
      label={t('Remove')}
      word={person.email}
      change={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
