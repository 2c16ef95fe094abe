import { Alert, Button, Card, Center, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { FormEvent } from 'react'
import { useSignIn } from '../api/queries.ts'
import logoUrl from '../favicon.svg'

export function SignInPage() {
  const signIn = useSignIn()
  useDocumentTitle('Sign in · Roadworthy')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    signIn.mutate({ email: String(form.get('email')), password: String(form.get('password')) })
  }
  return (
    <Center mih="100dvh" p="md" component="main" className="sign-in">
      <Card withBorder shadow="sm" padding="xl" w="100%" maw={400}>
        <form onSubmit={submit}>
          <Stack>
            <Group gap="sm">
              <img src={logoUrl} alt="" width={36} height={36} />
              <Title order={1} size="h2">
                Roadworthy
              </Title>
            </Group>
            <TextInput name="email" type="email" label="E-mail" autoComplete="username" required autoFocus />
            <PasswordInput name="password" label="Password" autoComplete="current-password" required />
            {signIn.isError && (
              <Alert color="red" role="alert">
                {signIn.error.message}
              </Alert>
            )}
            <Button type="submit" loading={signIn.isPending} fullWidth>
              Sign in
            </Button>
            <Text size="sm" c="dimmed">
              The first start prints an address and a password, and keeps them in <code>credentials.json</code> in its data folder.
            </Text>
          </Stack>
        </form>
      </Card>
    </Center>
  )
}
