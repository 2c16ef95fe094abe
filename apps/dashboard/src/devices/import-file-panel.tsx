import { Alert, Button, FileButton, Group, Stack, Table, Text, Textarea } from '@mantine/core'
import { type DragEvent, type FormEvent, useState } from 'react'
import { Panel } from '../shell/panel.tsx'
import { saveCsv } from '../shell/save-file.ts'
import { wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { readText } from './import-file.ts'
import { importColumns, MAX_IMPORTED, templateCsv } from './import-rows.ts'

type FilePanelProps = {
  problem: string | undefined
  onRead: (name: string, text: string) => void
  onProblem: (problem: string) => void
}

export function FilePanel({ problem, onRead, onProblem }: FilePanelProps) {
  const take = async (file: File | null | undefined) => {
    if (file === null || file === undefined) return
    const read = await readText(file)
    if ('problem' in read) onProblem(`${file.name}: ${read.problem}`)
    else onRead(file.name, read.text)
  }
  return (
    <Panel title={t('File')}>
      <Stack gap="md">
        <DropZone onFile={take} />
        {problem !== undefined && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Text size="sm" c="dimmed">
          {t(
            'CSV in UTF-8 with commas, semicolons or tabs, as spreadsheets write it; up to {count} devices and 1 MB. Every row is checked before anything is registered.',
            { count: wholeNumber(MAX_IMPORTED) },
          )}
        </Text>
        <PasteForm onRead={onRead} />
      </Stack>
    </Panel>
  )
}

function DropZone({ onFile }: { onFile: (file: File | null | undefined) => Promise<void> }) {
  const [isOver, setOver] = useState(false)
  const hold = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void onFile(event.dataTransfer.files[0])
  }
  return (
    <section
      className="drop-zone"
      aria-label={t('File to import')}
      data-over={isOver || undefined}
      onDragOver={hold}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileButton
        onChange={(file) => void onFile(file)}
        accept=".csv,.tsv,.txt,text/csv"
        inputProps={{ 'aria-label': t('File to import') }}
      >
        {(props) => <ChooseButton {...props} />}
      </FileButton>
      <Text size="sm" c="dimmed">
        {t('or drop it here')}
      </Text>
    </section>
  )
}

function ChooseButton({ onClick }: { onClick: () => void }) {
  return <Button onClick={onClick}>{t('Choose a file')}</Button>
}

function PasteForm({ onRead }: { onRead: (name: string, text: string) => void }) {
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onRead(t('Pasted rows'), text)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Textarea
          label={t('Or paste rows, with the line that names the columns')}
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
          classNames={{ input: 'secret' }}
          placeholder={'name,imei,license_plate'}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" variant="default" disabled={text.trim() === ''}>
            {t('Check the rows')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export function ColumnsPanel() {
  return (
    <Panel
      title={t('Columns')}
      actions={
        <Button size="sm" variant="default" onClick={() => saveCsv('devices-template.csv', templateCsv())}>
          {t('Download a template')}
        </Button>
      }
    >
      <Table verticalSpacing={6} horizontalSpacing="sm">
        <Table.Caption className="visually-hidden">{t('Columns that a file may have, in any order')}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Column')}</Table.Th>
            <Table.Th>{t('What it holds')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {importColumns.map(({ name, hint }) => (
            <Table.Tr key={name}>
              <Table.Td className="code">{name}</Table.Td>
              <Table.Td>{hint}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  )
}
