import { Button, Group, Loader, Stack } from '@mantine/core'
import { useState } from 'react'
import { ApiError, newOnceKey } from '../api/client.ts'
import { useCheckImport, useImportDevices } from '../api/device-queries.ts'
import { useMayChange } from '../session/use-session.ts'
import { Message } from '../shell/message.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { CheckedPanel } from './import-checked.tsx'
import { ColumnsPanel, FilePanel } from './import-file-panel.tsx'
import { ImportedPanel } from './import-imported.tsx'
import { type Chosen, checkedRows, type ImportList, readDevices, registeredRows, rowsToSend } from './import-rows.ts'

/** Many devices from a file: read, checked by the service, registered, and their credentials given out once. */
export function ImportPage() {
  const mayChange = useMayChange()
  if (mayChange) return <Import />
  return (
    <Message title={t('You may look at devices, not register them')} isPage>
      {t('Ask an owner of your account.')}
    </Message>
  )
}

function Import() {
  const check = useCheckImport()
  const register = useImportDevices()
  const [chosen, setChosen] = useState<Chosen>()
  const [problem, setProblem] = useState<string>()
  const checkList = (name: string, list: ImportList) => {
    setChosen({ name, list, onceKey: newOnceKey() })
    const rows = rowsToSend(list)
    if (rows.length > 0) check.mutate(rows.map(({ device }) => device))
  }
  const readList = (name: string, text: string) => {
    const found = readDevices(text)
    setProblem('problem' in found ? `${name}: ${found.problem}` : undefined)
    if (!('problem' in found)) checkList(name, found)
  }
  const startAnew = () => {
    setChosen(undefined)
    check.reset()
    register.reset()
  }
  const submit = ({ name, list, onceKey }: Chosen, skipInvalid: boolean) =>
    register.mutate(
      { devices: rowsToSend(list).map(({ device }) => device), skipInvalid, onceKey },
      // What was right a moment ago is not any more: the page shows the reason of each row. Where no answer came, the same call can be made again.
      { onError: (error) => error instanceof ApiError && error.status < 500 && checkList(name, list) },
    )
  return (
    <div className="page">
      <PageHeading title={t('Import devices')} />
      {chosen === undefined ? (
        <>
          <FilePanel problem={problem} onRead={readList} onProblem={setProblem} />
          <ColumnsPanel />
        </>
      ) : register.data === undefined ? (
        <>
          <Refusal error={register.error} />
          <Check
            chosen={chosen}
            check={check}
            isRegistering={register.isPending}
            onRegister={submit}
            onCheck={checkList}
            onStartAnew={startAnew}
          />
        </>
      ) : (
        <ImportedPanel rows={registeredRows(chosen.list, register.data.rows)} rowCount={chosen.list.rows.length} />
      )}
    </div>
  )
}

type CheckProps = {
  chosen: Chosen
  check: ReturnType<typeof useCheckImport>
  isRegistering: boolean
  onRegister: (chosen: Chosen, skipInvalid: boolean) => void
  onCheck: (name: string, list: ImportList) => void
  onStartAnew: () => void
}

function Check({ chosen, check, isRegistering, onRegister, onCheck, onStartAnew }: CheckProps) {
  const { name, list } = chosen
  const answered = rowsToSend(list).length === 0 ? [] : check.data?.rows
  if (answered !== undefined) {
    const rows = checkedRows(list, answered)
    const hasRefused = rows.some(({ error }) => error !== null)
    return (
      <CheckedPanel
        chosen={chosen}
        rows={rows}
        isRegistering={isRegistering}
        onRegister={() => onRegister(chosen, hasRefused)}
        onStartAnew={onStartAnew}
      />
    )
  }
  return (
    <Panel title={name}>
      {check.error === null ? (
        <Loader m="md" aria-label={t('Loading')} />
      ) : (
        <Stack gap="sm">
          <Refusal error={check.error} />
          <Group gap="xs">
            <Button onClick={() => onCheck(name, list)}>{t('Try again')}</Button>
            <Button variant="default" onClick={onStartAnew}>
              {t('Choose another file')}
            </Button>
          </Group>
        </Stack>
      )}
    </Panel>
  )
}

/** Also where a page without TLS has no `randomUUID`. */
