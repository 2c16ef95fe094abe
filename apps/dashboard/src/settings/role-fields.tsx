import { Select, TextInput } from '@mantine/core'
import { type Role, roles, roleWords } from './roles.ts'

type RoleFieldsProps = { role: Role; subClientId: string; onChange: (role: Role, subClientId: string) => void }

export function RoleFields({ role, subClientId, onChange }: RoleFieldsProps) {
  return (
    <>
      <Select
        label="Role"
        description={roleWords(role).may}
        allowDeselect={false}
        value={role}
        data={roles.map(({ value, label }) => ({ value, label }))}
        onChange={(value) => onChange(roles.find((each) => each.value === value)?.value ?? role, subClientId)}
      />
      {role === 'sub_client_viewer' && (
        <TextInput
          label="Sub-client"
          description="Its id."
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
