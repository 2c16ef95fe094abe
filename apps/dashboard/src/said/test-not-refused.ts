// For tests: what the sources of the service say that is no refusal, or that refuses nobody on a page, and why. A line is held against `path: text`.

export const NOT_ON_A_PAGE: readonly (readonly [line: RegExp, why: string])[] = [
  [
    /^packages\/service-kit\/src\/(http\/trusted-proxies|postgres\/postgres-|process\/(child-program|folder-lock|inspect-settings|settings))/,
    'settings and the start, for who starts the service',
  ],
  [/^services\/platform\/src\/main\/(?!.*(routes|stream-process|role-api))/, 'settings, metrics and the start, for who starts the service'],
  [/^packages\/service-kit\/src\/telemetry\/metrics\.ts/, 'what a metric counts'],
  [
    /^packages\/service-kit\/src\/http\/http\.ts: (Send the body as it is|\{\} is not possible|There is nothing at)/,
    'pages call routes that exist, and encode nothing',
  ],
  [/^packages\/service-kit\/src\/http\/http\.ts: The connection ended before/, 'the caller has gone, and reads no answer'],
  [
    /http\/(odd-framing\.ts: (Of transfer codings|A body of HTTP.1\.0|The request has more)|refuse-unparsed\.ts: CONNECT)/,
    'browsers frame a request in one way, and open no tunnel here',
  ],
  [/main\/role-api\.ts: This process takes no readings/, 'pages send no readings'],
  [/ingest\/receivers\/(http-trackers|mqtt-external|rest)\//, 'for devices and brokers, which read English'],
  [
    /\/(events\/|devices\/location\.routes\.external|maintenance\/calendar\.routes)/,
    'routes that no page calls: the event log, the External API, a calendar',
  ],
  [/\/live\/(live-streams|routes)/, 'a stream of events shows no refusal: it is connected again'],
  [/\/(limits\/failed-attempts|surfaces\/refused-credential)\.ts: (?!The session)/, 'pages have a session and no key'],
  [/\/payments\/(callback\.routes|take-callback|gateways\/(callback-verdict|(razorpay|stripe)-callback))/, 'for payment gateways'],
  [
    /\/(payments|billing)\/operator-|configure-billing\.ts: The operator’s book|brands\/settle-host/,
    'the command line of who runs the installation',
  ],
  [
    /resellers\/resellers\.ts: (There is (a|no) (reseller|plan|subscription)|A reseller slug|A name has)/,
    'the command line of who runs the installation',
  ],
  [/\/(metering\/statement|billing\/(ledger\/invoice-statement|rating\/recompute-))/, 'the command line that verifies a statement'],
  [/\/billing\/documents\/(draw-invoice|invoice-text)/, 'printed on an invoice'],
  [
    /\/(alerts\/raise-device-alerts|incidents\/(decide-incidents|describe-finding)|sims\/anomalies\/anomaly-message)/,
    'sentences of alerts, which have phrases of their own',
  ],
  [/payments\/payment-events\.ts: Made at the payment gateway/, 'the reason in an event, for programs'],
  [/\/maintenance\/vehicle-calendar/, 'an entry of a calendar'],
  [/ingest\/wire-warnings\.ts: (unknown|retired) vehicle$/, 'a kind of warning, which has its words beside it'],
  [
    /(routes\.sim-billing|routes\.platform-v1)\.ts: (The document|The e-invoice|RFC 4180|What is left out|PNG, JPEG|Server-sent|For payment|A half-open|If there is an account)/,
    'documentation of a route, and an answer that is none',
  ],
  [/^services\/platform\/src\/backup\//, 'the command line of backups, and a first start from one'],
  [/^services\/platform\/src\/moving\//, 'the command line that exports and imports a reseller'],
  [/^services\/platform\/src\/backfill\//, 'the command line that imports readings of before'],
  [/webhooks\/manage-endpoints\.ts: This is a test/, 'the body of a test'],
]
