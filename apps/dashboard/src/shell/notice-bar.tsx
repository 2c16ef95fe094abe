import { Button, CloseButton, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { t } from '../text/translate.ts'
import { type Notice, showNotice, useNotice } from './notice.ts'

/** It stays until it is closed or the next one comes: nobody has to hurry. */
export function NoticeBar() {
  const notice = useNotice()
  return <div role="status">{notice !== undefined && <Shown key={notice.text} notice={notice} />}</div>
}

function Shown({ notice: { text, undo } }: { notice: Notice }) {
  const takeBack = useMutation({
    mutationFn: async () => await undo?.(),
    onSuccess: () => showNotice({ text: t('Taken back.') }),
  })
  return (
    <div className="notice">
      <Text size="sm">{takeBack.isError ? takeBack.error.message : text}</Text>
      {undo !== undefined && (
        <Button size="xs" variant="default" loading={takeBack.isPending} onClick={() => takeBack.mutate()}>
          {t('Undo')}
        </Button>
      )}
      <CloseButton aria-label={t('Close the notice')} onClick={() => showNotice(undefined)} />
    </div>
  )
}
