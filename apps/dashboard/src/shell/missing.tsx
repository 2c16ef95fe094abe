import { Text } from '@mantine/core'

/** In a table, in place of what a row does not have. */
export function Missing() {
  return (
    <Text span c="dimmed">
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">none</span>
    </Text>
  )
}
