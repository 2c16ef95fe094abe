import { TextInput } from '@mantine/core'
import type { OperatorConnection } from '@roadworthy/contracts/sim-billing/operator-connections'
import { useState } from 'react'
import { useChangeOperator } from '../api/connection-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { refusalElsewhere, refusalOf } from '../shell/field-refusal.ts'
import { showNotice } from '../shell/notice.ts'
import { t } from '../text/translate.ts'
import { given, isComplete, type Values } from './field.ts'
import { FieldInputs } from './field-inputs.tsx'
import { operatorForms } from './operator-fields.ts'

/** With the address, because credentials are sent to no other host than the one that they were given for. */
export function OperatorCredentials({ connection, onClose }: { connection: OperatorConnection; onClose: () => void }) {
  const { connection_id: id, name, operator, base_url: current } = connection
  const change = useChangeOperator(id)
  const [baseUrl, setBaseUrl] = useState(current)
  const [values, setValues] = useState<Values>({})
  const { credentials } = operatorForms[operator]
  const shown = ['base_url', ...credentials.map((field) => `credentials.${field.name}`)]
  const confirm = () =>
    change.mutate(
      { base_url: baseUrl.trim(), credentials: given(credentials, values) as Record<string, string> },
      {
        onSuccess: () => {
          showNotice({ text: t('The credentials are changed. Test the connection.') })
          onClose()
        },
      },
    )
  return (
    <Confirmation
      title={t('Credentials of {name}', { name })}
      text={t('Those that are stored are replaced, all of them. They are never shown.')}
      label={t('Change')}
      isReady={isComplete(credentials, values)}
      change={{ isPending: change.isPending, error: refusalElsewhere(change.error, shown) }}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextInput
        label={t('Address of the API')}
        type="url"
        required
        maxLength={500}
        value={baseUrl}
        error={refusalOf(change.error, 'base_url')}
        onChange={(event) => setBaseUrl(event.currentTarget.value)}
      />
      <FieldInputs
        fields={credentials}
        values={values}
        path="credentials."
        error={change.error}
        onChange={(field, value) => setValues({ ...values, [field]: value })}
      />
    </Confirmation>
  )
}
