import { Select, TextInput } from '@mantine/core'
import { t } from '../text/translate.ts'
import { type Role, roles, roleWords } from './roles.ts'

type RoleFieldsProps = { role: Role; subClientId: string; onChange: (role: Role, subClientId: string) => void }

export function RoleFields({ role, subClientId, onChange }: RoleFieldsProps) {
  return (
    <>
      <Select
        label={t('Role')}
        description={roleWords(role).may}
        allowDeselect={false}
        value={role}
        data={roles.map(({ value, label }) => ({ value, label }))}
        onChange={(value) => onChange(roles.find((each) => each.value === value)?.value ?? role, subClientId)}
      />
      {role === 'sub_client_viewer' && (
        <TextInput
          label={t('Sub-client')}
          description={t('Its id.')}
          required
          maxLength={64}
          autoComplete="off"
          value={subClientId}
          onChange={(event) => onChange(role, event.currentTarget.value)}
        />
      )}
    </>
  )
}
