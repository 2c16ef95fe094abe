import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useInvite } from '../api/people-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { ShownOnce } from '../shell/shown-once.tsx'
import { LanguageSelect } from '../text/language-select.tsx'
import { language } from '../text/preferences.ts'
import { t } from '../text/translate.ts'
import { RoleFields } from './role-fields.tsx'
import { isWholeRole, type Role, roleFields } from './roles.ts'

export function InvitePerson({ onClose }: { onClose: () => void }) {
  const invite = useInvite()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [subClientId, setSubClientId] = useState('')
  const [theirs, setTheirs] = useState(language)
  if (invite.data !== undefined) return <Invited url={invite.data.invitation.url} email={invite.data.user.email} onClose={onClose} />
  return (
    <Confirmation
      title={t('Invite somebody')}
      text={t('They get a link to choose a password. It works once, for 7 days. Inviting the same address again makes a new link.')}
      label={t('Invite')}
      change={invite}
      isReady={email.trim() !== '' && isWholeRole(role, subClientId)}
      onConfirm={() => invite.mutate({ email: email.trim(), language: theirs, ...roleFields(role, subClientId) })}
      onClose={onClose}
    >
      <TextInput
        type="email"
        label={t('E-mail address')}
        required
        data-autofocus
        maxLength={254}
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleFields
        role={role}
        subClientId={subClientId}
        onChange={(nextRole, nextSubClientId) => {
          setRole(nextRole)
          setSubClientId(nextSubClientId)
        }}
      />
      <LanguageSelect
        value={theirs}
        description={t('Of the invitation, and of what they read until they choose another.')}
        onChange={setTheirs}
      />
    </Confirmation>
  )
}

function Invited({ url, email, onClose }: { url: string | null; email: string; onClose: () => void }) {
  if (url !== null) {
    return (
      <ShownOnce title={t('The invitation of {email}', { email })} label={t('Link')} secret={url} onStored={onClose}>
        {t('No mail was sent, so hand the link over yourself. Who opens it first chooses the password. It is not shown again.')}
      </ShownOnce>
    )
  }
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title>{t('Invited')}</Modal.Title>
        </Modal.Header>
        <Modal.Body>
          <Text size="sm">{t('The link was mailed to {email}.', { email })}</Text>
          <Group justify="flex-end" mt="sm">
            <Button onClick={onClose} data-autofocus>
              {t('Close')}
            </Button>
          </Group>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
