import { Anchor, Card, Center, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useForgetting } from '../api/queries.ts'
import { BrandLogo } from '../brand/brand-logo.tsx'
import { useBrand } from '../brand/use-brand.ts'
import { t } from '../text/translate.ts'

/** Around what is shown before signing in. */
export function EntryCard({ children }: { children: ReactNode }) {
  useForgetting()
  const { name, supportEmail, supportUrl } = useBrand()
  const support = supportUrl ?? (supportEmail === null ? undefined : `mailto:${supportEmail}`)
  return (
    <Center mih="100dvh" p="md" component="main" className="sign-in">
      <Card withBorder shadow="sm" padding="xl" w="100%" maw={400}>
        <Stack>
          <Group gap="sm" wrap="nowrap">
            <BrandLogo height={36} />
            <Title order={1} size="h2">
              {name}
            </Title>
          </Group>
          {children}
          {support !== undefined && (
            <Text size="sm" c="dimmed">
              {t('Need help?')}{' '}
              <Anchor size="sm" href={support} rel="noreferrer">
                {supportUrl === null ? supportEmail : t('Visit the support page')}
              </Anchor>
            </Text>
          )}
        </Stack>
      </Card>
    </Center>
  )
}
