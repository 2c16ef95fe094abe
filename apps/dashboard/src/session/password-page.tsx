import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { useRequestReset, useSetPassword } from '../api/queries.ts'
import { usePageTitle } from '../brand/use-brand.ts'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { EntryCard } from './entry-card.tsx'

/** Where the link of an invitation leads. */
export function InvitationPage() {
  const token = useTokenOfLink()
  usePageTitle(t('Welcome'))
  if (token === '') {
    return (
      <EntryCard>
        <Text>{t('This link is not whole. Open it as it stands in the invitation.')}</Text>
      </EntryCard>
    )
  }
  return <SetPassword token={token} title={t('Welcome')} lead={t('Choose a password to sign in with from now on.')} />
}

/** Where the link of a reset leads; without one, where it is asked for. */
export function PasswordPage() {
  const token = useTokenOfLink()
  usePageTitle(t('Password'))
  return token === '' ? (
    <RequestReset />
  ) : (
    <SetPassword token={token} title={t('New password')} lead={t('Every session from before ends.')} />
  )
}

/** What stands behind the #, taken out of the address once read, so that neither the history nor a screenshot keeps it. */
function useTokenOfLink(): string {
  // A link that is opened on the page it leads to changes nothing but this.
  const { hash } = useLocation()
  const [token, setToken] = useState(hash)
  useEffect(() => {
    if (hash === '') return
    setToken(hash)
    window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [hash])
  return token
}

function SetPassword({ token, title, lead }: { token: string; title: string; lead: string }) {
  const setPassword = useSetPassword()
  const navigate = useNavigate()
  const [mismatch, setMismatch] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const password = String(form.get('password'))
    setMismatch(password !== form.get('again'))
    if (password === form.get('again')) setPassword.mutate({ token, password }, { onSuccess: () => navigate({ to: '/' }) })
  }
  return (
    <EntryCard>
      <form onSubmit={submit}>
        <Stack>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm">{lead}</Text>
          <PasswordInput
            name="password"
            label={t('New password')}
            description={t('At least 10 characters.')}
            autoComplete="new-password"
            minLength={10}
            maxLength={200}
            required
            autoFocus
          />
          <PasswordInput
            name="again"
            label={t('New password, again')}
            autoComplete="new-password"
            required
            error={mismatch && t('The two are not the same.')}
          />
          <Refusal error={setPassword.error} />
          <Button type="submit" loading={setPassword.isPending} fullWidth>
            {t('Set password and sign in')}
          </Button>
        </Stack>
      </form>
    </EntryCard>
  )
}

function RequestReset() {
  const requestReset = useRequestReset()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    requestReset.mutate({ email: String(new FormData(event.currentTarget).get('email')) })
  }
  return (
    <EntryCard>
      <form onSubmit={submit}>
        <Stack>
          <Title order={2} size="h4">
            {t('Forgotten your password?')}
          </Title>
          <TextInput name="email" type="email" label={t('E-mail')} autoComplete="username" required autoFocus />
          <Refusal error={requestReset.error} />
          {requestReset.isSuccess && <Alert role="status">{requestReset.data.message}</Alert>}
          <Button type="submit" loading={requestReset.isPending} fullWidth>
            {t('Send me a link')}
          </Button>
          <Anchor component={Link} to="/" size="sm">
            {t('Back to signing in')}
          </Anchor>
        </Stack>
      </form>
    </EntryCard>
  )
}
