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
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useMatches } from '@tanstack/react-router'
import { Activity, useEffect } from 'react'
import { ApiError } from '../api/client.ts'
import { vehicleCountsQuery } from '../api/fleet-queries.ts'
import { followOtherTabs, giveUpPages, sessionQuery, sightOf, useSignOut } from '../api/queries.ts'
import { BrandLogo } from '../brand/brand-logo.tsx'
import { useBrand } from '../brand/use-brand.ts'
import { useLive } from '../live/use-live.ts'
import { PaletteButton } from '../palette/palette-button.tsx'
import { SignInPage } from '../session/sign-in-page.tsx'
import { SigningOut } from '../session/signing-out.tsx'
import { useChoice } from '../session/use-choice.ts'
import { ViewAsBar } from '../session/view-as-bar.tsx'
import { t, tRich } from '../text/translate.ts'
import { DialogsOfPages } from './dialogs.tsx'
import { MoonIcon, OfflineIcon, SunIcon, WarningIcon } from './icons.tsx'
import { useKeptFocus } from './keep-focus.ts'
import { useLightPrint } from './light-print.ts'
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

/** Assumption: as long as a person who is still there takes to sign in again. */
const PAGES_KEPT_MS = 15 * 60_000

/**
 * Around every other page. Without a session, the sign-in form is shown at the address that was asked for. When the session ends, its pages stay behind
 * the form, unseen and asking for nothing, so that the same person finds there what they were typing.
 */
function Inside() {
  const asked = useQuery(sessionQuery)
  useOtherTabs()
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
  const { session, isLeaving, hasEnded = false } = asked.data
  if (session === null) return <SignInPage />
  if (isLeaving === true) return <SigningOut />
  return (
    <>
      <Activity mode={hasEnded ? 'hidden' : 'visible'}>
        <SignedIn key={sightOf(session)} session={session} />
      </Activity>
      {hasEnded && <Ended />}
    </>
  )
}

function useOtherTabs(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    // Where the service does not answer, the questions of the page show that.
    const follow = () => void followOtherTabs(queryClient).catch(() => undefined)
    addEventListener('focus', follow)
    return () => removeEventListener('focus', follow)
  }, [queryClient])
}

function Ended() {
  const queryClient = useQueryClient()
  useEffect(() => {
    const timer = setTimeout(() => giveUpPages(queryClient), PAGES_KEPT_MS)
    return () => clearTimeout(timer)
  }, [queryClient])
  return <SignInPage />
}

function SignedIn({ session }: { session: Session }) {
  const { name } = useBrand()
  useKeptFocus()
  useLightPrint()
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
        <DialogsOfPages>
          <Outlet />
        </DialogsOfPages>
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
      {t('The service does not answer; what you see may be old. It is asked again every few seconds.')}{' '}
      {error instanceof ApiError && error.message}
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
