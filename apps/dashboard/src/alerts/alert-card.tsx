import { Button, Group, Text } from '@mantine/core'
import type { Alert } from '@roadworthy/contracts/platform-v1/alerts'
import { Link } from '@tanstack/react-router'
import { useChangeAlert } from '../api/queries.ts'
import { useMayChange } from '../session/use-session.ts'
import { sentenceCase } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import type { AlertSubject } from './alert-subject.ts'
import { SeverityBadge } from './severity-badge.tsx'

/** `subject` where the page is not about one vehicle anyway. */
export function AlertCard({ alert, subject }: { alert: Alert; subject?: AlertSubject }) {
  return (
    <article className="alert-card" aria-label={alert.description}>
      <div className="alert-severity">
        <SeverityBadge severity={alert.severity} />
      </div>
      <div className="alert-text">
        <Text fw={600} size="sm">
          {subject !== undefined && (
            <>
              <SubjectName subject={subject} />
              {' · '}
            </>
          )}
          {alert.description}
        </Text>
        <Text size="sm">{alert.message}</Text>
        <Text size="xs" c="dimmed">
          Opened <TimeAgo time={alert.timestamp} />
          {alert.vehicleId !== null && ` · ${sentenceCase(alert.component)}`}
          {alert.occurrences > 1 && ` · seen ${alert.occurrences} times`}
          <Fate alert={alert} />
        </Text>
      </div>
      <AlertActions alert={alert} />
    </article>
  )
}

function SubjectName({ subject: { label, vehicleId } }: { subject: AlertSubject }) {
  if (vehicleId === undefined) return label
  return (
    <Link to="/vehicles/$vehicleId" params={{ vehicleId }} className="vehicle-link">
      {label}
    </Link>
  )
}

const resolvers: Readonly<Record<string, string>> = { engine: 'by itself ', maintenance: 'by maintenance ' }

function Fate({ alert: { status, acknowledgedAt, resolvedAt, resolvedBy } }: { alert: Alert }) {
  if (status === 'open') return null
  return (
    <>
      {status === 'resolved' ? ` · resolved ${resolvers[resolvedBy ?? ''] ?? ''}` : ' · acknowledged '}
      <TimeAgo time={status === 'resolved' ? resolvedAt : acknowledgedAt} />
    </>
  )
}

function AlertActions({ alert: { id, status, description } }: { alert: Alert }) {
  const change = useChangeAlert()
  const mayChange = useMayChange()
  if (status === 'resolved' || !mayChange) return null
  return (
    <div className="alert-actions">
      <Group gap="xs" wrap="nowrap" justify="flex-end">
        {status === 'open' && (
          <Button
            size="xs"
            variant="default"
            loading={change.isPending && change.variables.status === 'acknowledged'}
            aria-label={`Acknowledge: ${description}`}
            onClick={() => change.mutate({ id, status: 'acknowledged' })}
          >
            Acknowledge
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          loading={change.isPending && change.variables.status === 'resolved'}
          aria-label={`Resolve: ${description}`}
          onClick={() => change.mutate({ id, status: 'resolved' })}
        >
          Resolve
        </Button>
      </Group>
      {change.isError && (
        <Text size="xs" c="red" role="alert">
          {change.error.message}
        </Text>
      )}
    </div>
  )
}
