import { Alert, Button, Group, Text } from '@mantine/core'
import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { EyeIcon } from '../shell/icons.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t, tRich } from '../text/translate.ts'
import { useStopViewAs, useViewAsElsewhere } from './use-view-as.ts'

/** Above every page, while a person of the reseller looks as a sub-client. */
export function ViewAsBar({ session: { viewAs } }: { session: Session }) {
  useViewAsElsewhere()
  return viewAs === null ? null : <Bar viewAs={viewAs} />
}

function Bar({ viewAs: { subClientId, subClientName } }: { viewAs: NonNullable<Session['viewAs']> }) {
  const stop = useStopViewAs(subClientId)
  return (
    <Alert color="violet" radius={0} py="xs" role="status" icon={<EyeIcon />}>
      <Group gap="sm" justify="space-between">
        <Text size="sm">
          {tRich('You look as a viewer of <b>{name}</b>: you see what they see, and can change nothing.', {
            name: subClientName,
            b: (inner) => <strong>{inner}</strong>,
          })}
        </Text>
        <Button size="xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
          {t('Stop')}
        </Button>
      </Group>
      <Refusal error={stop.error} />
    </Alert>
  )
}
