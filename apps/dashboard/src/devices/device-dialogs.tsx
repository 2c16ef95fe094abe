import { Select } from '@mantine/core'
import type { CredentialsRotated, Device } from '@roadworthy/contracts/platform-v1/devices'
import { useState } from 'react'
import { useChangeDevice, useDecommissionDevice, useIssueTrackerToken, useRotateCredentials } from '../api/device-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { TypedConfirmation } from '../shell/typed-confirmation.tsx'
import { t } from '../text/translate.ts'

type DialogProps = { device: Device; onClose: () => void }

const graces = [
  { value: '0', label: t('Stops at once') },
  { value: '3600', label: t('Works for an hour') },
  { value: '86400', label: t('Works for a day') },
]

export function RotateDialog({ device, onRotated, onClose }: DialogProps & { onRotated: (rotated: CredentialsRotated) => void }) {
  const rotate = useRotateCredentials(device.id)
  const [grace, setGrace] = useState('3600')
  const done = (rotated: CredentialsRotated) => {
    onRotated(rotated)
    onClose()
  }
  return (
    <Confirmation
      title={t('Rotate credentials')}
      text={t('The device gets a new MQTT password, which is shown once. It has to be put into the device.')}
      label={t('Rotate')}
      change={rotate}
      onConfirm={() => rotate.mutate(Number(grace), { onSuccess: done })}
      onClose={onClose}
    >
      <Select
        label={t('The password it has now')}
        allowDeselect={false}
        value={grace}
        data={graces}
        onChange={(value) => setGrace(value ?? '0')}
      />
    </Confirmation>
  )
}

export function PhoneCodeDialog({ device, onIssued, onClose }: DialogProps & { onIssued: (token: string) => void }) {
  const issue = useIssueTrackerToken(device.id)
  return (
    <Confirmation
      title={t('Make a new code for the phone')}
      text={t('The app has to be set up with it. Nothing that it sends as it is set up now is taken any more.')}
      label={t('Make a new code')}
      change={issue}
      onConfirm={() =>
        issue.mutate(undefined, {
          onSuccess: ({ trackerToken }) => {
            onIssued(trackerToken)
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}

export function SuspendDialog({ device, onClose }: DialogProps) {
  const change = useChangeDevice(device.id)
  const isSuspended = device.status === 'suspended'
  return (
    <Confirmation
      title={isSuspended ? t('Resume the device') : t('Suspend the device')}
      text={
        isSuspended
          ? t('Its messages are taken again.')
          : t('Its connection ends and its messages are refused until you resume it. Nothing that was stored is lost.')
      }
      label={isSuspended ? t('Resume') : t('Suspend')}
      change={change}
      onConfirm={() => change.mutate({ status: isSuspended ? 'active' : 'suspended' }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

export function DecommissionDialog({ device, word, onClose }: DialogProps & { word: string }) {
  const decommission = useDecommissionDevice(device.id)
  return (
    <TypedConfirmation
      title={t('Decommission the device')}
      text={t('Its credentials stop working for good, its IMEI can be registered again, and its history stays. This cannot be undone.')}
      label={t('Decommission')}
      word={word}
      change={decommission}
      onConfirm={() => decommission.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
