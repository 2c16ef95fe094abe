import { Badge, Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePageTitle } from '../brand/use-brand.ts'

/** Of a page that lists `count` things, with what can be done with all of them. */
export function PageHeading({ title, count, children }: { title: string; count?: number | undefined; children?: ReactNode }) {
  usePageTitle(title)
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="xs">
        <Title order={1} size="h2">
          {title}
        </Title>
        {count !== undefined && (
          <Badge variant="light" color="gray">
            {count}
          </Badge>
        )}
      </Group>
      {children}
    </Group>
  )
}
