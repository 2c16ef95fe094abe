import { List, Text, TextInput } from '@mantine/core'
import { ApiError } from '../api/client.ts'
import { refusalOf } from '../shell/field-refusal.ts'
import { monthName } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { changeLines } from './plan-words.ts'
import { useThisMonth } from './use-this-month.ts'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

type MonthFieldProps = { month: string; error: Error | null; onChange: (month: string) => void }

/** From when on a price holds, with what that means. A month that is too early is refused with the earliest there is. */
export function MonthField({ month, error, onChange }: MonthFieldProps) {
  const current = useThisMonth()
  const refused = refusalOf(error, 'effective_from')
  const earliest = error instanceof ApiError ? error.details['earliest'] : undefined
  return (
    <div>
      <TextInput
        type="month"
        label={t('From the month')}
        required
        value={month}
        error={refused !== undefined && typeof earliest === 'string' ? tooEarly(earliest) : refused}
        onChange={(event) => onChange(event.currentTarget.value)}
        w={220}
      />
      {MONTH.test(month) && (
        <List size="xs" mt={6} spacing={2}>
          {changeLines(month, current).map((line) => (
            <List.Item key={line}>
              <Text size="xs" c="dimmed">
                {line}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
    </div>
  )
}

export function isMonth(text: string): boolean {
  return MONTH.test(text)
}

function tooEarly(earliest: string): string {
  return t('Invoices of this month, or of a later one, are issued: {month} is the earliest.', { month: monthName(earliest) })
}
