import { Alert, Button, Checkbox, Group, List, Stack } from '@mantine/core'
import { useState } from 'react'
import { Panel } from '../shell/panel.tsx'
import { t } from '../text/translate.ts'
import { AskBeforeLeaving } from './ask-before-leaving.tsx'
import { CredentialValues, QrCode } from './credential-values.tsx'
import { isOnlyLocal, phoneServerUrl, phoneSetupUrl } from './phone-setup.ts'

type PhonePanelProps = { token: string; label: string; onStored: () => void }

/** The token is in the answer to the request and nowhere else: this is the one time that its code is shown. */
export function PhonePanel({ token, label, onStored }: PhonePanelProps) {
  const [isStored, setStored] = useState(false)
  const values = [
    [t('Server URL'), phoneServerUrl(location.origin)],
    [t('Device identifier'), token],
  ] as const
  return (
    <Panel title={t('Set up the phone')}>
      <Stack gap="md">
        <Alert color="orange" title={t('The code is shown this once')}>
          {t('Anyone who has it can send positions of this phone. If it is lost, make a new one on the device’s page.')}
        </Alert>
        {isOnlyLocal(location.origin) && (
          <Alert color="gray" title={t('A phone does not reach this address')}>
            {t(
              'You have this page open under an address of this computer. Open it under one that the phone reaches, and make a new code there.',
            )}
          </Alert>
        )}
        <List type="ordered" spacing={4}>
          <List.Item>{t('Install Traccar Client on the phone (Android or iOS).')}</List.Item>
          <List.Item>{t('Scan the code in the settings of the app. Or type the server URL and the device identifier there.')}</List.Item>
          <List.Item>{t('Switch tracking on, and allow the app the location at all times.')}</List.Item>
        </List>
        <CredentialValues values={values}>
          <QrCode
            value={phoneSetupUrl(location.origin, token)}
            title={t('QR code with server URL and device identifier')}
            caption={t('For Traccar Client')}
          />
        </CredentialValues>
        <Group justify="space-between" gap="sm">
          <Checkbox
            label={t('The phone is set up, or I stored the identifier')}
            checked={isStored}
            onChange={(event) => setStored(event.currentTarget.checked)}
          />
          <Button disabled={!isStored} onClick={onStored}>
            {label}
          </Button>
        </Group>
      </Stack>
      <AskBeforeLeaving isStored={isStored} />
    </Panel>
  )
}
