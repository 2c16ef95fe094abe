import { Fieldset, Group, SegmentedControl, Select, Text } from '@mantine/core'
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
    <Fieldset legend={t('What is sent')}>
      <SegmentedControl
        fullWidth
        aria-label={t('What is sent')}
        value={isDigest ? 'digest' : 'single'}
        data={[
          { value: 'single', label: t('A message for each') },
          { value: 'digest', label: t('A digest of the day') },
        ]}
        onChange={(value) => onChange({ isDigest: value === 'digest' })}
      />
      {isDigest && (
        <>
          <Text size="sm" c="dimmed" mt="xs">
            {t('What opened, is still open and was resolved, and which maintenance is due. Nothing on a day without any.')}
          </Text>
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
        </>
      )}
    </Fieldset>
  )
}
