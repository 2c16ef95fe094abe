import { Button, Group, Text, Title } from '@mantine/core'
import type { SubClient } from '@roadworthy/contracts/platform-v1/sub-clients'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { subClientQuery } from '../api/sub-client-queries.ts'
import { usageLimitsQuery } from '../api/usage-queries.ts'
import { CustomerTerms } from '../billing-settings/customer-terms.tsx'
import { BrandEditor } from '../brand/brand-editor.tsx'
import { usePageTitle } from '../brand/use-brand.ts'
import { useIsOfReseller, useMayChange, useSession } from '../session/use-session.ts'
import { useStartViewAs } from '../session/use-view-as.ts'
import { useDialog } from '../shell/dialogs.tsx'
import { Facts } from '../shell/facts.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { wholeNumber } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { LimitsOfSubClient } from '../usage/limits-panel.tsx'
import { DeactivateDialog, SuspendDialog } from './sub-client-dialogs.tsx'
import { SubClientForm } from './sub-client-form.tsx'
import { deviceCountText, SubClientStatusBadge } from './sub-client-status.tsx'

export function SubClientPage() {
  const { subClientId } = useParams({ from: '/sub-clients/$subClientId' })
  const asked = useQuery(subClientQuery(subClientId))
  const isOfReseller = useIsOfReseller()
  const mayChange = useMayChange() && isOfReseller
  const isOwner = useSession()?.role === 'owner'
  usePageTitle(asked.data?.name ?? t('Sub-client'))
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('sub-client')} isPage />
  const subClient = asked.data
  return (
    <div className="page">
      <Head subClient={subClient} mayChange={mayChange} />
      <div className="side-by-side">
        <div className="stack">
          <Counts subClient={subClient} />
          <LimitsPanel subClientId={subClient.id} />
        </div>
        {mayChange ? <SubClientForm key={subClient.id} subClient={subClient} /> : <Contact subClient={subClient} />}
      </div>
      {isOfReseller && <CustomerTerms subClientId={subClient.id} mayChange={mayChange} />}
      {isOwner && (
        <section aria-label={t('Brand')} className="stacked">
          <Title order={2} size="h4">
            {t('Brand')}
          </Title>
          <BrandEditor subClientId={subClient.id} />
        </section>
      )}
    </div>
  )
}

function Head({ subClient, mayChange }: { subClient: SubClient; mayChange: boolean }) {
  const openDialog = useDialog()
  const isOfReseller = useIsOfReseller()
  const isActive = subClient.status === 'active'
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <Title order={1} size="h2" className="breaking">
          {subClient.name}
        </Title>
        <SubClientStatusBadge status={subClient.status} />
      </Group>
      <Group gap="xs">
        {isOfReseller && <ViewAsButton subClient={subClient} />}
        {mayChange && (
          <>
            <Button
              size="sm"
              variant="default"
              onClick={() => openDialog((close) => <SuspendDialog subClient={subClient} onClose={close} />)}
            >
              {isActive ? t('Suspend') : t('Activate')}
            </Button>
            {subClient.status !== 'deactivated' && (
              <Button
                size="sm"
                variant="default"
                c="red"
                onClick={() => openDialog((close) => <DeactivateDialog subClient={subClient} onClose={close} />)}
              >
                {t('Deactivate')}
              </Button>
            )}
          </>
        )}
      </Group>
    </Group>
  )
}

/** Takes rights away for as long as it lasts, so everybody who sees all sub-clients may. */
function ViewAsButton({ subClient: { id, name } }: { subClient: SubClient }) {
  const start = useStartViewAs()
  return (
    <>
      <Button
        size="sm"
        variant="default"
        loading={start.isPending}
        onClick={() => start.mutate(id)}
        title={t('See what people of {name} see', { name })}
      >
        {t('View as')}
      </Button>
      <Refusal error={start.error} />
    </>
  )
}

function Counts({ subClient: { id, deviceCount, vehicleCount, limits, createdAt, updatedAt } }: { subClient: SubClient }) {
  return (
    <Panel title={t('Details')}>
      <Facts
        facts={[
          [t('Id'), id],
          [
            t('Devices'),
            <Link key="devices" to="/devices" search={{ subClientId: id }}>
              {deviceCountText(deviceCount, limits.devices)}
            </Link>,
          ],
          [
            t('Vehicles'),
            <Link key="vehicles" to="/fleet" search={{ subClientId: id }}>
              {wholeNumber(vehicleCount)}
            </Link>,
          ],
          [t('Created'), <TimeAgo key="created" time={createdAt} />],
          [t('Changed'), <TimeAgo key="changed" time={updatedAt} />],
        ]}
      />
    </Panel>
  )
}

/** What of its limits is used; who may change them does so beside. */
function LimitsPanel({ subClientId }: { subClientId: string }) {
  const [page] = useInfiniteQuery(usageLimitsQuery({ subClientId })).data?.pages ?? []
  const limits = page?.subClients[0]
  if (page === undefined) return null
  return (
    <Panel title={t('Limits')} actions={<UsageLink subClientId={subClientId} />}>
      {limits === undefined ? (
        <Text size="sm" c="dimmed">
          {t('There is no limit.')}
        </Text>
      ) : (
        <LimitsOfSubClient limits={limits} month={page.month} />
      )}
    </Panel>
  )
}

function UsageLink({ subClientId }: { subClientId: string }) {
  return (
    <Link to="/usage" search={{ subClientId }}>
      {t('Usage by day')}
    </Link>
  )
}

function Contact({ subClient: { contactEmail, contactPhone } }: { subClient: SubClient }) {
  return (
    <Panel title={t('Contact')}>
      <Facts
        facts={[
          [t('E-mail'), contactEmail ?? t('none')],
          [t('Phone'), contactPhone ?? t('none')],
        ]}
      />
    </Panel>
  )
}
