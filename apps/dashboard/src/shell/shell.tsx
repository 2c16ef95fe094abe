import {
  ActionIcon,
  Alert,
  AppShell,
  Button,
  Center,
  Group,
  Loader,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useMatches } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { vehicleCountsQuery } from '../api/fleet-queries.ts'
import { sessionQuery, useSignOut } from '../api/queries.ts'
import { BrandLogo } from '../brand/brand-logo.tsx'
import { useBrand } from '../brand/use-brand.ts'
import { useLive } from '../live/use-live.ts'
import { PaletteButton } from '../palette/palette-button.tsx'
import { SignInPage } from '../session/sign-in-page.tsx'
import { SigningOut } from '../session/signing-out.tsx'
import { useChoice } from '../session/use-choice.ts'
import { ViewAsBar } from '../session/view-as-bar.tsx'
import { t, tRich } from '../text/translate.ts'
import { MoonIcon, OfflineIcon, SunIcon, WarningIcon } from './icons.tsx'
import { useKeptFocus } from './keep-focus.ts'
import { Message } from './message.tsx'
import { Navigation } from './navigation.tsx'
import { NoticeBar } from './notice-bar.tsx'

/** Pages for people who are not signed in yet. They are shown also while somebody else is signed in. */
const ENTRY_PAGES = ['/invitation', '/password']

export function Shell() {
  // Of the page that is there, not of the one that is on its way: until that is there, the outlet shows the one before.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '' })
  return ENTRY_PAGES.includes(pathname) ? <Outlet /> : <Inside />
}

/** Around every other page. Without a session, the sign-in form is shown at the address that was asked for. */
function Inside() {
  const asked = useQuery(sessionQuery)
  if (asked.isPending) {
    return (
      <Center h="100dvh">
        <Loader aria-label={t('Loading')} />
      </Center>
    )
  }
  if (asked.isError)
    return (
      <Message title={t('The service does not answer')} isPage>
        {t('It is tried again when you come back to this page.')}
      </Message>
    )
  const { session, isLeaving } = asked.data
  if (session === null) return <SignInPage />
  return isLeaving === true ? <SigningOut /> : <SignedIn session={session} />
}

function SignedIn({ session }: { session: Session }) {
  const { name } = useBrand()
  useKeptFocus()
  useLive()
  useChoice(session)
  return (
    <AppShell header={{ height: 52 }} padding={0}>
      <AppShell.Header>
        <a className="skip-link" href="#main">
          {t('Skip to content')}
        </a>
        <Group h="100%" px="md" gap="xs" wrap="nowrap" justify="space-between" className="header">
          <Group gap="sm" wrap="nowrap">
            <Group gap={8} wrap="nowrap">
              <BrandLogo height={24} />
              <Text fw={700} visibleFrom="xs">
                {name}
              </Text>
            </Group>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Text size="sm" c="dimmed" visibleFrom="sm">
              {session.resellerName} · {session.email}
            </Text>
            <PaletteButton session={session} />
            <ColorSchemeButton />
            <SignOutButton />
          </Group>
        </Group>
      </AppShell.Header>
      <Navigation session={session} />
      <AppShell.Main id="main" tabIndex={-1}>
        <ViewAsBar session={session} />
        <Connection />
        <Outlet />
      </AppShell.Main>
      <NoticeBar />
    </AppShell>
  )
}

/** What is on the screen stays there while the network or the service is away; this shows that it is old. */
function Connection() {
  const { isError, error, data } = useQuery(vehicleCountsQuery)
  const { online } = useNetwork()
  if (!online) {
    return (
      <Alert color="orange" radius={0} py="xs" role="status" icon={<OfflineIcon />}>
        {t('This computer is offline; what you see may be old. It is renewed when the network is back.')}
      </Alert>
    )
  }
  if (error instanceof ApiError && error.code === 'subscription_required') return <Unpaid />
  if (!isError || data === undefined) return null
  return (
    <Alert color="orange" radius={0} py="xs" role="status" icon={<WarningIcon />}>
      {t('The service does not answer; what you see may be old. It is asked again every few seconds.')} {error.message}
    </Alert>
  )
}

/** The subscription is past due: invoices can still be read and paid, everything else is refused. */
function Unpaid() {
  return (
    <Alert color="red" radius={0} py="xs" role="status" icon={<WarningIcon />}>
      {tRich(
        'The subscription is past due, so vehicles and alerts are not shown. <a>See the invoices</a> and pay what is open: everything is there again at once.',
        {
          a: (inner) => (
            <Link to="/invoices" search={{ issuer: 'operator' }}>
              {inner}
            </Link>
          ),
        },
      )}
    </Alert>
  )
}

function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const other = scheme === 'dark' ? 'light' : 'dark'
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={other === 'dark' ? t('Use dark colours') : t('Use light colours')}
      onClick={() => setColorScheme(other)}
    >
      {other === 'dark' ? <MoonIcon /> : <SunIcon />}
    </ActionIcon>
  )
}

function SignOutButton() {
  const signOut = useSignOut()
  return (
    <Button variant="default" size="sm" px="sm" onClick={() => signOut.mutate()} loading={signOut.isPending}>
      {t('Sign out')}
    </Button>
  )
}
