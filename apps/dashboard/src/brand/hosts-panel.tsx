import { Button, Code, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core'
import type { Brand, HostProof } from '@roadworthy/contracts/platform-v1/brands'
import { type FormEvent, useState } from 'react'
import { useChangeBrand } from '../api/brand-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { CheckIcon, ClockIcon, WarningIcon } from '../shell/icons.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { t } from '../text/translate.ts'
import { useNow } from '../text/use-now.ts'
import { type HostState, hostOf, hostState, withPrimary } from './host-words.ts'

const MAX_HOSTS = 10

const looks: Readonly<Record<HostState['kind'], StatusLook>> = {
  proved: { color: 'green', Icon: CheckIcon },
  'at risk': { color: 'orange', Icon: WarningIcon },
  waiting: { color: 'blue', Icon: ClockIcon },
  missing: { color: 'orange', Icon: WarningIcon },
}

export function HostsPanel({ subClientId, brand }: { subClientId: string | undefined; brand: Brand }) {
  const change = useChangeBrand(subClientId)
  const [typed, setTyped] = useState('')
  const set = (hostsOf: (hosts: readonly string[]) => string[], onSuccess = () => {}) =>
    change.mutate(({ hosts }) => ({ hosts: hostsOf(hosts) }), { onSuccess })
  const add = (event: FormEvent) => {
    event.preventDefault()
    const host = hostOf(typed)
    if (host !== '' && !brand.hosts.includes(host))
      set(
        (hosts) => [...new Set([...hosts, host])],
        () => setTyped(''),
      )
  }
  return (
    <Panel title={t('Host names')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t(
          'Under these names the sign-in page and the dashboard show this brand. Let each lead to this service, and prove that it is yours by a record in its DNS. Links in mails begin with the first one that is proved.',
        )}
      </Text>
      <Stack gap="sm">
        {brand.hostProofs.map((proof, i) => (
          <Host
            key={proof.host}
            proof={proof}
            isFirst={i === 0}
            change={change}
            onPrimary={() => set((hosts) => (hosts.includes(proof.host) ? withPrimary(hosts, proof.host) : [...hosts]))}
            onRemove={(done) => set((hosts) => hosts.filter((each) => each !== proof.host), done)}
          />
        ))}
        {brand.hosts.length < MAX_HOSTS && (
          <form onSubmit={add}>
            <Group gap="xs" align="flex-end">
              <TextInput
                label={t('Another host name')}
                placeholder="fleet.example.com"
                autoComplete="off"
                spellCheck={false}
                maxLength={300}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                w={280}
              />
              <Button type="submit" variant="default" loading={change.isPending} disabled={hostOf(typed) === ''}>
                {t('Add')}
              </Button>
              {brand.hostProofs.some(({ status }) => status === 'pending') && (
                <Button variant="default" loading={change.isPending} onClick={() => set((hosts) => [...hosts])}>
                  {t('Look for the records now')}
                </Button>
              )}
            </Group>
          </form>
        )}
        <Refusal error={change.error} />
      </Stack>
    </Panel>
  )
}

type HostProps = {
  proof: HostProof
  isFirst: boolean
  change: { isPending: boolean; error: Error | null }
  onPrimary: () => void
  onRemove: (done: () => void) => void
}

function Host({ proof, isFirst, change, onPrimary, onRemove }: HostProps) {
  const nowMs = useNow()
  const [isRemoving, setIsRemoving] = useState(false)
  const state = hostState(proof, nowMs)
  const close = () => setIsRemoving(false)
  return (
    <section className="host" aria-label={proof.host}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text fw={650} className="breaking">
            {proof.host}
          </Text>
          <StatusBadge look={looks[state.kind]} size="sm">
            {state.label}
          </StatusBadge>
          {isFirst && (
            <Text size="xs" c="dimmed">
              {t('first choice')}
            </Text>
          )}
        </Group>
        <Group gap="xs">
          {!isFirst && (
            <Button size="xs" variant="default" disabled={change.isPending} onClick={onPrimary}>
              {t('Make it the first choice')}
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            c="red"
            aria-label={t('Remove {name}', { name: proof.host })}
            onClick={() => setIsRemoving(true)}
          >
            {t('Remove')}
          </Button>
        </Group>
      </Group>
      <Text size="sm" c="dimmed">
        {state.text}
      </Text>
      {proof.provedBy !== 'operator' && <DnsRecord record={proof.record} />}
      {isRemoving && (
        <Confirmation
          title={t('Remove {name}', { name: proof.host })}
          text={t(
            'Your brand is not shown there any more, and links in mails do not lead there. To list it again it has to be proved anew.',
          )}
          label={t('Remove')}
          color="red"
          change={change}
          onConfirm={() => onRemove(close)}
          onClose={close}
        />
      )}
    </section>
  )
}

function DnsRecord({ record: { type, name, value } }: { record: HostProof['record'] }) {
  return (
    <dl className="facts dns-record">
      <div>
        <dt>{t('Type of record')}</dt>
        <dd>{type}</dd>
      </div>
      <div>
        <dt>{t('Name')}</dt>
        <dd>
          <Copied text={name} label={t('Copy the name of the record')} />
        </dd>
      </div>
      <div>
        <dt>{t('Value')}</dt>
        <dd>
          <Copied text={value} label={t('Copy the value of the record')} />
        </dd>
      </div>
    </dl>
  )
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Code className="breaking">{text}</Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" aria-label={label} onClick={copy} flex="none">
            {copied ? t('Copied') : t('Copy')}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
