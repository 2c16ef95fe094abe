import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { InfoIcon } from './icons.tsx'

export type StatusLook = { readonly color: string; readonly Icon: typeof InfoIcon; readonly variant?: 'light' | 'filled' | 'outline' }

/** A word, a shape and a colour: the meaning does not depend on seeing the colour. */
export function StatusBadge({ look, size = 'md', children }: { look: StatusLook; size?: 'sm' | 'md' | 'lg'; children: ReactNode }) {
  const { color, Icon, variant = 'light' } = look
  return (
    <Badge variant={variant} color={color} size={size} tt="none" className="badge" leftSection={<Icon size={14} />}>
      {children}
    </Badge>
  )
}
