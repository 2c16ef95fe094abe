import { Group, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

type PanelProps = { title: string; actions?: ReactNode; className?: string; children: ReactNode }

export function Panel({ title, actions, className = '', children }: PanelProps) {
  const id = useId()
  return (
    <section className={`panel padded ${className}`} aria-labelledby={id}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </section>
  )
}
