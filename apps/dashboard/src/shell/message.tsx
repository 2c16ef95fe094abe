import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A page, or a part of one, that has nothing else to show. */
export function Message({ title, isPage = false, children }: { title: string; isPage?: boolean; children?: ReactNode }) {
  return (
    <Stack gap={4} align="center" py="xl" px="md">
      <Title order={isPage ? 1 : 2} size="h4">
        {title}
      </Title>
      {children !== undefined && (
        <Text c="dimmed" ta="center">
          {children}
        </Text>
      )}
    </Stack>
  )
}
