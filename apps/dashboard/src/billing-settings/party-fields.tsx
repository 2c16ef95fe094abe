import { Group, Stack, Textarea, TextInput } from '@mantine/core'
import { refusalOf } from '../shell/field-refusal.ts'
import { t } from '../text/translate.ts'
import { type PartyEdits, partyFieldNames } from './settings-edits.ts'

type PartyFieldsProps = { path: string; party: PartyEdits; error: Error | null; onChange: (party: PartyEdits) => void }
type FieldName = keyof PartyEdits

/** Legal name and address, as they stand on invoices. */
export function PartyFields({ path, party, error, onChange }: PartyFieldsProps) {
  const field = (name: FieldName) => ({
    value: party[name],
    error: refusalOf(error, path + wireName(name)),
    onChange: (event: { currentTarget: { value: string } }) => onChange({ ...party, [name]: event.currentTarget.value }),
  })
  return (
    <Stack gap="sm">
      <TextInput label={t('Legal name')} required maxLength={200} autoComplete="organization" {...field('name')} />
      <Textarea label={t('Street')} description={t('Up to four lines')} autosize minRows={2} maxRows={4} {...field('address')} />
      <Group grow align="flex-start">
        <TextInput label={t('Postal code')} maxLength={20} {...field('postal_code')} />
        <TextInput label={t('City')} maxLength={100} {...field('city')} />
      </Group>
      <Group grow align="flex-start">
        <TextInput label={t('State or province')} maxLength={100} {...field('region')} />
        <TextInput label={t('Country')} description={t('Two letters, such as IN')} required maxLength={2} {...field('country_code')} />
      </Group>
      <TextInput
        label={t('Tax number')}
        description={t('GSTIN, VAT number or the like. An electronic invoice with tax needs one.')}
        maxLength={50}
        {...field('tax_number')}
      />
      <TextInput label={t('E-mail')} type="email" maxLength={200} {...field('email')} />
      <TextInput label={t('Phone')} maxLength={50} {...field('phone')} />
    </Stack>
  )
}

export function partyPaths(path: string): string[] {
  return partyFieldNames.map((name) => path + wireName(name))
}

function wireName(name: FieldName): string {
  return name === 'address' ? 'address_lines' : name
}
