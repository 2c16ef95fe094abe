import { Button, Group, Menu } from '@mantine/core'
import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { useMoveIncidents } from '../api/incident-queries.ts'
import { useMayChange } from '../session/use-session.ts'
import { useDialog } from '../shell/dialogs.tsx'
import { showNotice } from '../shell/notice.ts'
import { t } from '../text/translate.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { CloseDialog } from './close-dialog.tsx'
import { actionLabels, actionsOf, type IncidentAction } from './offered-actions.ts'
import { SnoozeDialog } from './snooze-dialog.tsx'
import { undoOf, useUndoNotice } from './undo.ts'
import type { IncidentNames } from './use-incident-names.ts'
import { PlanIncidentWork, RecordIncidentWork } from './work-dialogs.tsx'

type IncidentActionsProps = { incident: Incident; names: IncidentNames; isCompact?: boolean }

/** `isCompact`: in a list, where only the first action is a button of its own. */
export function IncidentActions({ incident, names, isCompact = false }: IncidentActionsProps) {
  const mayChange = useMayChange()
  const openDialog = useDialog()
  const move = useMove(incident)
  const offered = mayChange ? actionsOf(incident) : []
  if (offered.length === 0) return null
  const choose = (action: IncidentAction) => {
    if (action === 'acknowledge' || action === 'reopen') return move(action)
    openDialog((close) => <ChosenDialog incident={incident} names={names} chosen={action} onClose={close} />)
  }
  const buttons = isCompact ? offered.slice(0, 1) : offered
  return (
    <div className="incident-actions">
      <Group gap="xs" justify={isCompact ? 'flex-end' : 'flex-start'} wrap={isCompact ? 'nowrap' : 'wrap'}>
        {buttons.map((action) => (
          <Button
            key={action}
            size={isCompact ? 'xs' : 'sm'}
            variant="default"
            aria-label={t('{action}: {title}', { action: actionLabels[action], title: incident.title })}
            onClick={() => choose(action)}
          >
            {actionLabels[action]}
          </Button>
        ))}
        {isCompact && <MoreMenu title={incident.title} actions={offered.slice(1)} onChoose={choose} />}
      </Group>
    </div>
  )
}

function MoreMenu({
  title,
  actions,
  onChoose,
}: {
  title: string
  actions: readonly IncidentAction[]
  onChoose: (action: IncidentAction) => void
}) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" aria-label={t('More: {title}', { title })}>
          {t('More')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item key={action} onClick={() => onChoose(action)}>
            {actionLabels[action]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

type ChosenDialogProps = { incident: Incident; names: IncidentNames; chosen: IncidentAction; onClose: () => void }

function ChosenDialog({ incident, names, chosen, onClose }: ChosenDialogProps) {
  if (chosen === 'snooze') return <SnoozeDialog incident={incident} onClose={onClose} />
  if (chosen === 'assign') return <AssignDialog incident={incident} names={names} onClose={onClose} />
  const { vehicleId } = incident
  if (vehicleId !== null && chosen === 'plan') return <PlanIncidentWork incident={{ ...incident, vehicleId }} onClose={onClose} />
  if (vehicleId !== null && chosen === 'done') return <RecordIncidentWork incident={{ ...incident, vehicleId }} onClose={onClose} />
  if (chosen === 'false_alarm' || chosen === 'close') {
    return <CloseDialog incident={incident} reason={chosen === 'close' ? 'other' : chosen} onClose={onClose} />
  }
  return null
}

/** Moves that need no further input, and can be taken back. They are shown at once, so the row that would show a refusal may be another by then. */
function useMove(incident: Incident) {
  const move = useMoveIncidents()
  const notice = useUndoNotice()
  const { id, title } = incident
  return (action: 'acknowledge' | 'reopen') => {
    const done = action === 'acknowledge' ? t('Acknowledged: {title}', { title }) : t('Opened again: {title}', { title })
    move
      .mutateAsync({ ids: [id], status: action === 'acknowledge' ? 'acknowledged' : 'open' })
      .then(() => notice(done, id, undoOf(incident)))
      .catch((error: Error) => showNotice({ text: t('{title}: {message}', { title, message: error.message }) }))
  }
}
