import { Select, Text, TextInput } from '@mantine/core'
import type { GatewayConnectionCreate } from '@roadworthy/contracts/sim-billing/gateway-connections'
import { useState } from 'react'
import { useCreateGateway } from '../api/connection-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { refusalElsewhere, refusalOf } from '../shell/field-refusal.ts'
import { showNotice } from '../shell/notice.ts'
import { t } from '../text/translate.ts'
import { given, isComplete, type Values } from './field.ts'
import { FieldInputs } from './field-inputs.tsx'
import { type GatewayName, gatewayForms } from './gateway-fields.ts'

const gateways = Object.keys(gatewayForms) as GatewayName[]

export function CreateGateway({ onClose }: { onClose: () => void }) {
  const create = useCreateGateway()
  const [gateway, setGateway] = useState<GatewayName>('stripe')
  const [name, setName] = useState('')
  const [values, setValues] = useState<Values>({})
  const { settings, credentials, where, product } = gatewayForms[gateway]
  const shown = ['name', ...settings.map((each) => `settings.${each.name}`), ...credentials.map((each) => `credentials.${each.name}`)]
  const confirm = () => {
    const body = {
      gateway,
      name: name.trim() === '' ? product : name.trim(),
      settings: given(settings, values),
      credentials: given(credentials, values),
    }
    create.mutate(body as GatewayConnectionCreate, {
      onSuccess: () => {
        showNotice({ text: t('The gateway is connected. Enter the address of the webhooks there, and test the connection.') })
        onClose()
      },
    })
  }
  const onChange = (field: string, value: string | number) => setValues({ ...values, [field]: value })
  return (
    <Confirmation
      title={t('Connect a gateway')}
      text={where}
      label={t('Connect')}
      isReady={isComplete(settings, values) && isComplete(credentials, values)}
      change={{ isPending: create.isPending, error: refusalElsewhere(create.error, shown) }}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Select
        label={t('Gateway')}
        allowDeselect={false}
        value={gateway}
        data={gateways.map((value) => ({ value, label: gatewayForms[value].product }))}
        onChange={(value) => setGateway(gateways.find((each) => each === value) ?? 'stripe')}
      />
      <TextInput
        label={t('Name')}
        placeholder={product}
        maxLength={100}
        value={name}
        error={refusalOf(create.error, 'name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FieldInputs fields={credentials} values={values} path="credentials." error={create.error} onChange={onChange} />
      <FieldInputs fields={settings} values={values} path="settings." error={create.error} onChange={onChange} />
      <Text size="xs" c="dimmed">
        {t('Credentials are sealed where they are stored, and never shown again.')}
      </Text>
    </Confirmation>
  )
}
