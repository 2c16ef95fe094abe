import { MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { assigneesQuery } from '../api/incident-queries.ts'
import { channelsQuery } from '../api/notification-queries.ts'
import { t } from '../text/translate.ts'

const MAX_RECIPIENTS = 20

type RecipientsFieldProps = {
  label: string
  value: readonly string[]
  /** Of the rule: who does not see its incidents cannot be chosen. */
  subClientId: string | null
  onChange: (recipients: string[]) => void
}

/** People get an e-mail and a message in the browsers that they allowed; a channel is a chat, a topic or a program. */
export function RecipientsField({ label, value, subClientId, onChange }: RecipientsFieldProps) {
  const people = useQuery(assigneesQuery).data?.assignees ?? []
  const channels = useQuery(channelsQuery).data?.notificationChannels ?? []
  const isFor = (of: { readonly subClientId: string | null }) => of.subClientId === null || of.subClientId === subClientId
  const groups = [
    {
      group: t('People, by e-mail and in their browsers'),
      items: people.filter(isFor).map(({ id, email }) => ({ value: id, label: email })),
    },
    { group: t('Channels'), items: channels.filter(isFor).map(({ id, name }) => ({ value: id, label: name })) },
  ]
  return (
    <MultiSelect
      mt="xs"
      label={label}
      required
      searchable
      clearable
      maxValues={MAX_RECIPIENTS}
      value={[...value]}
      data={groups.filter(({ items }) => items.length > 0)}
      onChange={onChange}
      nothingFoundMessage={t('Nobody has this name')}
    />
  )
}
