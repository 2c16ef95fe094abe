import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type MessageProps = { title: string; isPage?: boolean; children?: ReactNode; action?: ReactNode }

/** A page, or a part of one, that has nothing else to show. */
export function Message({ title, isPage = false, children, action }: MessageProps) {
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
      {action}
    </Stack>
  )
}
