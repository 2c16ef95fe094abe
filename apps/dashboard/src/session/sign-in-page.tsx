import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { sessionQuery, useSignIn } from '../api/queries.ts'
import { useBrand, usePageTitle } from '../brand/use-brand.ts'
import { Refusal } from '../shell/refusal.tsx'
import { t, tRich } from '../text/translate.ts'
import { EntryCard } from './entry-card.tsx'

export function SignInPage() {
  const signIn = useSignIn()
  const brand = useBrand()
  const hasEnded = useQuery(sessionQuery).data?.hasEnded === true
  usePageTitle(t('Sign in'))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    signIn.mutate({ email: String(form.get('email')), password: String(form.get('password')) })
  }
  // Who runs the service for others does not send them to its folders.
  const isOwn = brand.supportEmail === null && brand.supportUrl === null
  return (
    <EntryCard>
      <form onSubmit={submit}>
        <Stack>
          {hasEnded && <Alert role="status">{t('Your session has ended. Sign in to go on where you were.')}</Alert>}
          <TextInput name="email" type="email" label={t('E-mail')} autoComplete="username" required autoFocus />
          <PasswordInput name="password" label={t('Password')} autoComplete="current-password" required />
          <Refusal error={signIn.error} />
          <Button type="submit" loading={signIn.isPending} fullWidth>
            {t('Sign in')}
          </Button>
          <Anchor component={Link} to="/password" size="sm">
            {t('Forgotten your password?')}
          </Anchor>
          {isOwn && (
            <Text size="sm" c="dimmed">
              {tRich(
                'The first start prints an address and a password, and keeps them in <code>credentials.json</code> in its data folder.',
                {
                  code: (inner) => <code>{inner}</code>,
                },
              )}
            </Text>
          )}
        </Stack>
      </form>
    </EntryCard>
  )
}
