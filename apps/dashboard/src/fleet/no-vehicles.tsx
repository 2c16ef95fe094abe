import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { LoadDemoFleet } from '../first-run/demo-fleet.tsx'
import { useIsOfReseller, useMayChange } from '../session/use-session.ts'
import { Message } from '../shell/message.tsx'
import { t } from '../text/translate.ts'

/** Of an empty fleet, with the next step; to those who may not take it, whose it is. */
export function NoVehicles() {
  const mayChange = useMayChange()
  const isOfReseller = useIsOfReseller()
  if (!mayChange) {
    return (
      <Message title={t('No vehicles yet')}>
        {isOfReseller
          ? t('Owners and members register devices; their vehicles appear here.')
          : t('None has been assigned to you yet. Ask your provider.')}
      </Message>
    )
  }
  return (
    <>
      <Message title={t('No vehicles yet')}>{t('A vehicle appears with its device, or with the first reading that names it.')}</Message>
      <Group justify="center" gap="sm" pb="xl" px="md">
        <Button renderRoot={(props) => <Link {...props} to="/devices/new" />}>{t('Register a device')}</Button>
        <LoadDemoFleet />
      </Group>
    </>
  )
}
