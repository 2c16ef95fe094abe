import { Textarea } from '@mantine/core'
import { t } from '../text/translate.ts'
import { readHeaderLines } from './header-lines.ts'

export function HeaderField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const read = readHeaderLines(text)
  return (
    <Textarea
      label={t('Headers to send along')}
      description={t('One on each line, such as “X-Gateway-Key: k7f3”. Their values are not shown again.')}
      autosize
      minRows={1}
      maxRows={6}
      autoComplete="off"
      spellCheck={false}
      value={text}
      error={'badLine' in read ? t('“{line}” is not a name, a colon and a value.', { line: read.badLine.slice(0, 60) }) : undefined}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
