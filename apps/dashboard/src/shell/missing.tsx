import { Text } from '@mantine/core'
import { t } from '../text/translate.ts'

/** In a table, in place of what a row does not have. */
export function Missing() {
  return (
    <Text span c="dimmed">
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{t('none')}</span>
    </Text>
  )
}
