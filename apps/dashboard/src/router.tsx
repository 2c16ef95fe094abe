import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { usePageTitle } from './brand/use-brand.ts'
import { readDeviceSearch } from './devices/device-search.ts'
import { readMessageSearch } from './devices/message-search.ts'
import { readRegisterSearch } from './devices/register-search.ts'
import { readFleetSearch } from './fleet/fleet-search.ts'
import { readIncidentSearch } from './incidents/incident-search.ts'
import { readInvoiceSearch } from './invoices/invoice-search.ts'
import { readMaintenanceSearch } from './maintenance/maintenance-search.ts'
import { readNotificationsSearch } from './notifications/log-search.ts'
import { OverviewPage } from './overview/overview-page.tsx'
import { hasFleetFilters, readOverviewSearch } from './overview/overview-search.ts'
import { readRequestSearch } from './requests/request-search.ts'
import { readApiKeySearch } from './settings/api-key-search.ts'
import { readAuditSearch } from './settings/audit-search.ts'
import { Message } from './shell/message.tsx'
import { PageNotShown, whileServed } from './shell/page-not-shown.tsx'
import { Shell } from './shell/shell.tsx'
import { readSimSearch } from './sims/sim-search.ts'
import { readSubClientSearch } from './sub-clients/sub-client-search.ts'
import { withTexts } from './text/load-language.ts'
import { t } from './text/translate.ts'
import { readTrackSearch } from './track/track-search.ts'
import { readUsageSearch } from './usage/usage-search.ts'
import { readVehicleSearch } from './vehicle/vehicle-search.ts'
import { readDeliverySearch } from './webhooks/delivery-search.ts'

/** Of a page that is loaded when it is opened. */
const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(whileServed(withTexts(load)), name)

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NoSuchPage })

// Filters and tabs are in the address, so that a view can be sent to a colleague.
const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readOverviewSearch,
  beforeLoad: ({ search: { since, ...filters } }) => {
    if (hasFleetFilters(filters)) throw redirect({ to: '/fleet', search: filters, replace: true })
  },
  component: OverviewPage,
})
const fleetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/fleet',
  validateSearch: readFleetSearch,
  component: lazyPage(() => import('./fleet/fleet-page.tsx'), 'FleetPage'),
})
const vehicleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/vehicles/$vehicleId',
  validateSearch: readVehicleSearch,
  component: lazyPage(() => import('./vehicle/vehicle-page.tsx'), 'VehiclePage'),
})
const trackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/vehicles/$vehicleId/track',
  validateSearch: readTrackSearch,
  component: lazyPage(() => import('./track/track-page.tsx'), 'TrackPage'),
})
const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyPage(() => import('./session/password-page.tsx'), 'InvitationPage'),
})
const passwordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/password',
  component: lazyPage(() => import('./session/password-page.tsx'), 'PasswordPage'),
})
const alertsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alerts',
  validateSearch: readIncidentSearch,
  component: lazyPage(() => import('./incidents/incidents-page.tsx'), 'IncidentsPage'),
})
const incidentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alerts/$incidentId',
  component: lazyPage(() => import('./incidents/incident-page.tsx'), 'IncidentPage'),
})

const invoicesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invoices',
  validateSearch: readInvoiceSearch,
  component: lazyPage(() => import('./invoices/invoices-page.tsx'), 'InvoicesPage'),
})
const invoiceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invoices/$invoiceId',
  component: lazyPage(() => import('./invoices/invoice-page.tsx'), 'InvoicePage'),
})
const maintenanceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/maintenance',
  validateSearch: readMaintenanceSearch,
  component: lazyPage(() => import('./maintenance/maintenance-page.tsx'), 'MaintenancePage'),
})
const modelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/models',
  component: lazyPage(() => import('./models/models-page.tsx'), 'ModelsPage'),
})
const simsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sims',
  validateSearch: readSimSearch,
  component: lazyPage(() => import('./sims/sims-page.tsx'), 'SimsPage'),
})
const simRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sims/$simId',
  component: lazyPage(() => import('./sims/sim-page.tsx'), 'SimPage'),
})

const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  validateSearch: readUsageSearch,
  component: lazyPage(() => import('./usage/usage-page.tsx'), 'UsagePage'),
})
const deviceRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/devices',
    validateSearch: readDeviceSearch,
    component: lazyPage(() => import('./devices/devices-page.tsx'), 'DevicesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/devices/new',
    validateSearch: readRegisterSearch,
    component: lazyPage(() => import('./devices/register-page.tsx'), 'RegisterPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/devices/import',
    component: lazyPage(() => import('./devices/import-page.tsx'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/devices/$deviceId',
    component: lazyPage(() => import('./devices/device-page.tsx'), 'DevicePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/devices/$deviceId/messages',
    validateSearch: readMessageSearch,
    component: lazyPage(() => import('./devices/messages-page.tsx'), 'MessagesPage'),
  }),
] as const
const groupRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/groups',
    component: lazyPage(() => import('./groups/groups-page.tsx'), 'GroupsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/groups/$groupId',
    component: lazyPage(() => import('./groups/group-page.tsx'), 'GroupPage'),
  }),
] as const
const subClientRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sub-clients',
    validateSearch: readSubClientSearch,
    component: lazyPage(() => import('./sub-clients/sub-clients-page.tsx'), 'SubClientsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sub-clients/$subClientId',
    component: lazyPage(() => import('./sub-clients/sub-client-page.tsx'), 'SubClientPage'),
  }),
] as const

// Loaded when they are opened: few people come here, and seldom.
const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyPage(() => import('./settings/settings-frame.tsx'), 'SettingsFrame'),
})
const settingsRoutes = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'api-keys',
    validateSearch: readApiKeySearch,
    component: lazyPage(() => import('./settings/api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'requests',
    validateSearch: readRequestSearch,
    component: lazyPage(() => import('./requests/requests-page.tsx'), 'RequestsPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'webhooks',
    component: lazyPage(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'webhooks/$webhookId',
    validateSearch: readDeliverySearch,
    component: lazyPage(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'webhooks/$webhookId/deliveries/$deliveryId',
    component: lazyPage(() => import('./webhooks/delivery-page.tsx'), 'DeliveryPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'stream',
    component: lazyPage(() => import('./streams/stream-page.tsx'), 'StreamPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'plan',
    component: lazyPage(() => import('./settings/plan-page.tsx'), 'PlanPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'people',
    component: lazyPage(() => import('./settings/people-page.tsx'), 'PeoplePage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'notifications',
    validateSearch: readNotificationsSearch,
    component: lazyPage(() => import('./notifications/notifications-page.tsx'), 'NotificationsPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'preferences',
    component: lazyPage(() => import('./settings/preferences-page.tsx'), 'PreferencesPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'brand',
    component: lazyPage(() => import('./brand/brand-page.tsx'), 'BrandPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'operators',
    component: lazyPage(() => import('./operators/operators-page.tsx'), 'OperatorsPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'operators/new',
    component: lazyPage(() => import('./operators/new-operator-page.tsx'), 'NewOperatorPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'operators/$connectionId',
    component: lazyPage(() => import('./operators/operator-page.tsx'), 'OperatorPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'gateways',
    component: lazyPage(() => import('./operators/gateways-page.tsx'), 'GatewaysPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'rate-plans',
    component: lazyPage(() => import('./billing-settings/rate-plans-page.tsx'), 'RatePlansPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'rate-plans/new',
    component: lazyPage(() => import('./billing-settings/new-plan-page.tsx'), 'NewPlanPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'rate-plans/$planId',
    component: lazyPage(() => import('./billing-settings/plan-page.tsx'), 'PlanPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'billing',
    component: lazyPage(() => import('./billing-settings/billing-page.tsx'), 'BillingPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'audit',
    validateSearch: readAuditSearch,
    component: lazyPage(() => import('./settings/audit-page.tsx'), 'AuditPage'),
  }),
] as const

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    overviewRoute,
    fleetRoute,
    vehicleRoute,
    trackRoute,
    alertsRoute,
    maintenanceRoute,
    modelsRoute,
    incidentRoute,
    ...deviceRoutes,
    ...groupRoutes,
    ...subClientRoutes,
    simsRoute,
    simRoute,
    invoicesRoute,
    invoiceRoute,
    usageRoute,
    settingsRoute.addChildren(settingsRoutes),
    invitationRoute,
    passwordRoute,
  ]),
  // Else a page is handed what its route has left out of the address.
  search: { strict: true },
  defaultPreload: false,
  defaultErrorComponent: PageNotShown,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** The window would otherwise go on naming the page of before. */
function NoSuchPage() {
  const title = t('There is no such page')
  usePageTitle(title)
  return (
    <Message title={title} isPage>
      {t('Choose one from the menu.')}
    </Message>
  )
}
