import { Alert, Button, Group, Text } from '@mantine/core'
import type { OperatorConnection } from '@roadworthy/contracts/sim-billing/operator-connections'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { operatorConnectionQuery, useChangeOperator, useRemoveOperator, useTestOperator } from '../api/connection-queries.ts'
import { latestSyncQuery } from '../api/sim-queries.ts'
import { useDialog } from '../shell/dialogs.tsx'
import { Facts } from '../shell/facts.tsx'
import { CheckIcon, WarningIcon } from '../shell/icons.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { TypedConfirmation } from '../shell/typed-confirmation.tsx'
import { wholeNumber } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { useNow } from '../text/use-now.ts'
import { ConnectionBadge } from './connection-badge.tsx'
import { OperatorCredentials } from './operator-credentials.tsx'
import { operatorForms } from './operator-fields.ts'
import { OperatorForm } from './operator-form.tsx'
import { operatorState } from './operator-state.ts'

export function OperatorPage() {
  const { connectionId } = useParams({ from: '/settings/operators/$connectionId' })
  const asked = useQuery(operatorConnectionQuery(connectionId))
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('connection')} />
  const { connection } = asked.data
  return (
    <>
      <Head connection={connection} />
      <div className="side-by-side">
        <div className="stacked">
          <State connection={connection} />
          <Test connection={connection} />
        </div>
        {/* What is typed stays when the connection changes beside it, as by a pause. */}
        <OperatorForm key={connection.connection_id} connection={connection} />
      </div>
    </>
  )
}

function Head({ connection }: { connection: OperatorConnection }) {
  const { connection_id: id, name, enabled } = connection
  const change = useChangeOperator(id)
  const openDialog = useDialog()
  const changeCredentials = () => openDialog((close) => <OperatorCredentials connection={connection} onClose={close} />)
  const remove = () => openDialog((close) => <Remove connection={connection} onClose={close} />)
  return (
    <>
      <PageHeading title={name}>
        <Group gap="xs">
          <Button size="sm" variant="default" loading={change.isPending} onClick={() => change.mutate({ enabled: !enabled })}>
            {enabled ? t('Pause') : t('Go on')}
          </Button>
          <Button size="sm" variant="default" onClick={changeCredentials}>
            {t('Change credentials')}
          </Button>
          <Button size="sm" variant="default" c="red" onClick={remove}>
            {t('Delete')}
          </Button>
        </Group>
      </PageHeading>
      <Refusal error={change.error} />
    </>
  )
}

function State({ connection }: { connection: OperatorConnection }) {
  const latest = useQuery(latestSyncQuery).data?.sync ?? null
  const state = operatorState(connection, latest, useNow())
  const {
    operator,
    base_url: baseUrl,
    sim_count: simCount,
    synced_until: until,
    created_at: createdAt,
    credential_names: names,
  } = connection
  return (
    <Panel title={t('State')}>
      <Group gap="xs" mb="sm" align="flex-start">
        <ConnectionBadge kind={state.kind} label={state.label} />
        <Text size="sm" flex={1} miw={200}>
          {state.text}
        </Text>
      </Group>
      <Facts
        facts={[
          [t('Operator'), operatorForms[operator].product],
          [
            t('Address of the API'),
            <span key="url" className="breaking">
              {baseUrl}
            </span>,
          ],
          [t('Credentials that are stored'), names.join(', ')],
          [t('SIMs, also terminated ones'), wholeNumber(simCount)],
          [t('Synchronised until'), <TimeAgo key="until" time={until} />],
          [t('Connected'), <TimeAgo key="created" time={createdAt} />],
        ]}
      />
    </Panel>
  )
}

/** Asks the operator for the least that proves the credentials. */
function Test({ connection: { connection_id: id } }: { connection: OperatorConnection }) {
  const test = useTestOperator(id)
  return (
    <Panel title={t('Test')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('Asks the operator whether it takes the credentials, and changes nothing. It takes up to half a minute.')}
      </Text>
      <Button size="sm" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        {t('Test the connection')}
      </Button>
      <div role="status">
        {test.data !== undefined && (
          <Alert mt="sm" color={test.data.success ? 'green' : 'red'} icon={test.data.success ? <CheckIcon /> : <WarningIcon />}>
            {test.data.message} {t('It took {ms} ms.', { ms: test.data.duration_ms })}
          </Alert>
        )}
      </div>
      <Refusal error={test.error} />
    </Panel>
  )
}

function Remove({ connection: { connection_id: id, name }, onClose }: { connection: OperatorConnection; onClose: () => void }) {
  const remove = useRemoveOperator(id)
  const navigate = useNavigate()
  return (
    <TypedConfirmation
      title={t('Delete {name}', { name })}
      text={t('Its credentials are forgotten. A connection that has SIMs is not deleted: pause it instead.')}
      label={t('Delete')}
      word={name}
      change={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/settings/operators' }) })}
      onClose={onClose}
    />
  )
}
