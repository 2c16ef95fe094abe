import { Group, Radio, Select, Stack } from '@mantine/core'
import { t } from '../text/translate.ts'
import { quarterHours, type RuleDraft } from './rule-draft.ts'

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
const MAX_OPTIONS = 50

type DigestFieldsProps = {
  draft: RuleDraft
  onChange: (changes: Partial<Pick<RuleDraft, 'isDigest' | 'digestAt' | 'digestTimeZone'>>) => void
}

/** One message for each incident, or one a day about all of them. */
export function DigestFields({ draft: { isDigest, digestAt, digestTimeZone }, onChange }: DigestFieldsProps) {
  return (
    <>
      <Radio.Group
        mt="xs"
        label={t('What is sent')}
        value={isDigest ? 'digest' : 'single'}
        onChange={(value) => onChange({ isDigest: value === 'digest' })}
      >
        <Stack gap={6} mt={4}>
          <Radio value="single" label={t('A message for each')} />
          <Radio
            value="digest"
            label={t('A digest of the day')}
            description={t('What opened, is still open and was resolved, and which maintenance is due. Nothing on a day without any.')}
          />
        </Stack>
      </Radio.Group>
      {isDigest && (
        <Group gap="xs" mt="xs" grow>
          <Select
            label={t('Every day at')}
            allowDeselect={false}
            value={digestAt}
            data={quarterHours(false)}
            onChange={(value) => onChange({ digestAt: value ?? digestAt })}
          />
          <Select
            label={t('Time zone')}
            allowDeselect={false}
            searchable
            limit={MAX_OPTIONS}
            value={digestTimeZone}
            data={zones.includes(digestTimeZone) ? zones : [digestTimeZone, ...zones]}
            onChange={(value) => onChange({ digestTimeZone: value ?? digestTimeZone })}
          />
        </Group>
      )}
    </>
  )
}
