import { Button, Group, PasswordInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import type { StreamConnection } from '@roadworthy/contracts/platform-v1/stream-connection'
import { type FormEvent, useState } from 'react'
import { useChangeStream } from '../api/stream-queries.ts'
import { showNotice } from '../shell/notice.ts'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { formOf, mechanisms, requestOf, type StreamForm } from './stream-form.ts'

const STORED = '••••••••'
const MAX_PEM_LENGTH = 8_192

type Change = (change: Partial<StreamForm>) => void

export function ConnectionForm({ connection }: { connection: StreamConnection | null }) {
  const put = useChangeStream()
  const [typed, setTyped] = useState<Partial<StreamForm>>({})
  const form = { ...formOf(connection), ...typed }
  const change: Change = (changed) => setTyped({ ...typed, ...changed })
  const requestOver = (stored: StreamConnection | null) => requestOf({ ...formOf(stored), ...typed }, stored?.enabled ?? true)
  const save = (event: FormEvent) => {
    event.preventDefault()
    put.mutate(requestOver, {
      onSuccess: (saved) => {
        if (saved === undefined) return
        setTyped({})
        showNotice({ text: t('Saved. Reading begins anew with it at once; test it to see how that goes.') })
      },
    })
  }
  return (
    <Panel title={connection === null ? t('Connect a topic') : t('Connection')}>
      <form onSubmit={save}>
        <Stack gap="sm" className="narrow">
          <TopicFields form={form} change={change} />
          <TlsFields form={form} change={change} hasKey={connection?.tls?.hasKey === true} />
          <SignInFields form={form} change={change} hasPassword={connection?.sasl?.hasPassword === true} />
          <Refusal error={put.error} />
          <Group>
            <Button type="submit" loading={put.isPending} disabled={requestOver(connection) === undefined}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}

type FieldsProps = { form: StreamForm; change: Change }

function TopicFields({ form, change }: FieldsProps) {
  return (
    <>
      <Textarea
        label={t('Brokers')}
        description={t('One on each line, as host:port. Public addresses, on port 443 or from 1024 up.')}
        placeholder="kafka-1.example.com:9093"
        autosize
        minRows={2}
        maxRows={8}
        required
        spellCheck={false}
        value={form.brokers}
        onChange={({ currentTarget }) => change({ brokers: currentTarget.value })}
      />
      <TextInput
        label={t('Topic')}
        description={t('What cannot be taken goes to the topic of this name with .dlq behind it, which must be there too.')}
        placeholder="telemetry"
        maxLength={245}
        required
        spellCheck={false}
        autoComplete="off"
        value={form.topic}
        onChange={({ currentTarget }) => change({ topic: currentTarget.value })}
      />
      <TextInput
        label={t('Consumer group')}
        description={t('Empty: one of our own. How far the topic is read is kept for each group; another one begins anew.')}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        value={form.groupId}
        onChange={({ currentTarget }) => change({ groupId: currentTarget.value })}
      />
      <Select
        label={t('A new group begins with')}
        allowDeselect={false}
        data={[
          { value: 'earliest', label: t('the oldest message there is') },
          { value: 'latest', label: t('messages from now on') },
        ]}
        value={form.startAt}
        onChange={(value) => change({ startAt: value === 'latest' ? 'latest' : 'earliest' })}
      />
      <TextInput
        label={t('Format')}
        description={t('The JSON of POST /telemetry, or an array of at most 100 of them; bare or as a CloudEvent.')}
        value="JSON"
        readOnly
      />
    </>
  )
}

function TlsFields({ form, change, hasKey }: FieldsProps & { hasKey: boolean }) {
  return (
    <>
      <Switch
        label={t('Encrypted (TLS)')}
        checked={form.isTls}
        onChange={({ currentTarget }) => change({ isTls: currentTarget.checked })}
      />
      {form.isTls && (
        <Stack gap="sm" className="indented">
          <PemField
            label={t('Certificates of the authorities')}
            description={t('PEM. Empty: the public ones.')}
            value={form.ca}
            onChange={(ca) => change({ ca })}
          />
          <PemField
            label={t('Our certificate')}
            description={t('PEM. Only where the brokers ask for one.')}
            value={form.certificate}
            onChange={(certificate) => change({ certificate })}
          />
          <PemField
            label={t('Its private key')}
            description={hasKey ? t('One is stored, and is not shown. Empty: it stays.') : t('PEM, without a passphrase. Not shown again.')}
            value={form.key}
            onChange={(key) => change({ key })}
          />
        </Stack>
      )}
    </>
  )
}

type PemFieldProps = { label: string; description: string; value: string; onChange: (value: string) => void }

function PemField({ value, onChange, ...words }: PemFieldProps) {
  return (
    <Textarea
      {...words}
      autosize
      minRows={1}
      maxRows={6}
      maxLength={MAX_PEM_LENGTH}
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: 'secret' }}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

function SignInFields({ form, change, hasPassword }: FieldsProps & { hasPassword: boolean }) {
  return (
    <>
      <Select
        label={t('Sign-in (SASL)')}
        allowDeselect={false}
        data={[{ value: 'none', label: t('None') }, ...mechanisms]}
        value={form.mechanism}
        onChange={(value) => change({ mechanism: mechanisms.find((each) => each === value) ?? 'none' })}
      />
      {form.mechanism !== 'none' && (
        <Stack gap="sm" className="indented">
          <TextInput
            label={t('User')}
            maxLength={256}
            required
            autoComplete="off"
            spellCheck={false}
            value={form.username}
            onChange={({ currentTarget }) => change({ username: currentTarget.value })}
          />
          <PasswordInput
            label={t('Password')}
            description={
              hasPassword
                ? t('One is stored, and is not shown. Empty: it stays. Needed again when a broker is added or TLS is left.')
                : t('Stored encrypted. Not shown again.')
            }
            placeholder={hasPassword ? STORED : ''}
            maxLength={1_024}
            autoComplete="new-password"
            value={form.password}
            onChange={({ currentTarget }) => change({ password: currentTarget.value })}
          />
        </Stack>
      )}
    </>
  )
}
