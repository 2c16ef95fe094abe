// Goal: who reads German and drives in miles reads what the engine found in German and in °F, on every page that shows it. Method: the real service and
// engine, a truck that runs hot with fault codes and an empty tank, a chat that refuses and a port without a broker, and a real browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { answerWith, startReceiver } from '@roadworthy/platform/webhooks/test-receiver'
import { findFreePort } from '@roadworthy/service-kit/network/free-ports'
import type { Browser } from 'playwright-core'
import { STREAM_FLAGS } from '../support/stream.ts'
import { until } from '../support/until.ts'
import { choosePreferences, hasBrowser, inBrowser, newPage, signIn, untilAgreed } from './browser.ts'
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts'

/** Where to put pictures of the pages, for people to look at. */
const folder = process.env['PICTURES']

let served: ServedDashboard
let browser: Browser

before(async () => {
  if (!hasBrowser) return
  served = await serveDashboard({ flags: STREAM_FLAGS, env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } })
  browser = served.browser
  const nowMs = Date.now()
  for (let agoS = 60; agoS >= 0; agoS -= 5) {
    await served.ask('POST', '/api/v1/telemetry', {
      ...{ vehicleId: 'truck-one', timestamp: new Date(nowMs - agoS * 1000).toISOString() },
      ...{ coolant: 120, engine_speed: 1800, vehicleSpeed: 60, battery_voltage: 11.9, fuel_level: 6, obdDistance: 640_000 },
      ...{ dtc_codes: ['P0301', 'P0524'], red_stop_lamp: 'LAMP_ON' },
    })
  }
  // Those that have to last come last.
  await until('the incidents are there', async () => (await incidents()).some(({ component }) => component === 'cooling'))
})

after(() => served?.stop())

const incidents = async () =>
  (await served.ask<{ incidents: { id: string; component: string; vehicleId: string }[] }>('GET', '/api/v1/incidents?status=open'))
    .incidents

test('alerts, an incident, a vehicle and the overview are in the language and the units of the person', inBrowser, async () => {
  const { page, complaints } = await newPage(browser)
  await page.goto(`${served.platform.credentials.dashboard.url}alerts`)
  await signIn(page, served.platform.credentials.dashboard)
  await page.getByRole('article').first().waitFor()
  assert.match(await page.getByRole('main').innerText(), /Engine overheating/)
  await choosePreferences(page, '{"language":"de","units":"imperial"}')
  const [hot] = (await incidents()).filter(({ component }) => component === 'cooling')
  assert.ok(hot !== undefined)
  for (const path of ['alerts', `alerts/${hot.id}`, `vehicles/${hot.vehicleId}`, '']) {
    await page.goto(served.platform.credentials.dashboard.url + path)
    await page
      .getByText(/Motor überhitzt/)
      .first()
      .waitFor()
    // What it rests on is asked for after the incident.
    if (path.includes('/'))
      await page
        .getByText(/248 °F/)
        .filter({ visible: true })
        .first()
        .waitFor()
    const text = await page.getByRole('main').innerText()
    assert.doesNotMatch(
      text,
      /°C|overheating|engine oil|misfire|Stop when safe|Check alternator|Drive |Have |is above|is below| the /,
      path,
    )
    if (folder !== undefined)
      await page.screenshot({
        path: `${folder}/said-${path.split('/')[0] || 'overview'}${path.includes('alerts/') ? '-one' : ''}.png`,
        fullPage: true,
      })
  }
  assert.deepEqual(complaints, [])
  await page.context().close()
})

const titles = [
  { language: 'de', tab: 'Fehlercodes', texts: ['Zündaussetzer in Zylinder 1', 'Motoröldruck zu niedrig'] },
  {
    language: 'es',
    tab: 'Códigos de avería',
    texts: ['Fallo de encendido en el cilindro 1', 'Presión de aceite del motor demasiado baja'],
  },
]

test('what a fault code stands for is in the language of the person, and is loaded where a code is named', inBrowser, async () => {
  const { page, complaints } = await newPage(browser)
  const { url } = served.platform.credentials.dashboard
  const files: string[] = []
  page.on('request', (request) => files.push(request.url()))
  await page.goto(`${url}sims`)
  await signIn(page, served.platform.credentials.dashboard)
  await page.getByRole('heading', { level: 1, name: 'SIMs' }).waitFor()
  const [hot] = await incidents()
  for (const { language, tab, texts } of titles) {
    await choosePreferences(page, `{"language":"${language}","units":"metric"}`)
    files.length = 0
    await page.goto(`${url}sims`)
    await page.getByRole('heading', { level: 1, name: /^SIM/ }).waitFor()
    const hasTitles = () => files.some((file) => /\/codes-[^/]*\.js$/.test(file))
    assert.equal(hasTitles(), false, 'no code is named')
    await page.goto(`${url}vehicles/${hot?.vehicleId}?tab=codes`)
    await page.getByRole('tab', { name: tab, selected: true }).waitFor()
    for (const text of texts) await page.getByText(text).first().waitFor()
    assert.ok(hasTitles())
    assert.doesNotMatch(await page.getByRole('main').innerText(), /misfire|engine oil|Drive |Stop /)
    if (folder !== undefined) await page.screenshot({ path: `${folder}/codes-${language}.png`, fullPage: true })
  }
  assert.deepEqual(complaints, [])
  await page.context().close()
})

const refusals = [
  {
    ...{ language: 'de', invite: 'Einladen', taken: 'Es gibt schon eine Person mit dieser E-Mail-Adresse.' },
    signIn: { email: 'E-Mail', password: 'Passwort', button: 'Anmelden', wrong: 'E-Mail-Adresse oder Passwort ist nicht richtig.' },
  },
  {
    ...{ language: 'es', invite: 'Invitar', taken: 'Ya hay una persona con esta dirección de correo.' },
    signIn: {
      ...{ email: 'Correo electrónico', password: 'Contraseña', button: 'Iniciar sesión' },
      wrong: 'La dirección de correo o la contraseña no es correcta.',
    },
  },
]

test('what the service refuses is refused in the language of the person', inBrowser, async () => {
  const { dashboard } = served.platform.credentials
  // A browser logs every refusal as an error of its own.
  const { page, complaints } = await newPage(browser, {}, (text) => !text.startsWith('Failed to load resource'))
  await page.goto(dashboard.url)
  const files: string[] = []
  page.on('request', (request) => files.push(request.url()))
  for (const { language, signIn: texts, invite, taken } of refusals) {
    await page.evaluate(`localStorage.setItem('roadworthy.preferences', '{"language":"${language}","units":"metric"}')`)
    await page.goto(`${dashboard.url}settings/people`)
    const submit = async (password: string) => {
      await page.getByRole('textbox', { name: texts.email }).fill(dashboard.email)
      await page.getByRole('textbox', { name: texts.password }).fill(password)
      await page.getByRole('button', { name: texts.button }).click()
    }
    await page.getByRole('button', { name: texts.button }).waitFor()
    files.length = 0
    await submit('not the password of anybody')
    await page.getByRole('alert').getByText(texts.wrong).waitFor()
    assert.equal(files.filter((file) => /\/refused-[^/]*\.js$/.test(file)).length, 1)
    await submit(dashboard.password)
    await page.getByRole('button', { name: invite }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').first().fill(dashboard.email)
    await dialog.getByRole('button', { name: invite }).click()
    await dialog.getByText(taken).waitFor()
    if (folder !== undefined) await page.screenshot({ path: `${folder}/refused-${language}.png` })
    await untilAgreed(page)
    await page.context().clearCookies()
  }
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('why something failed is in German, with what others answered as it came', inBrowser, async (t) => {
  const { dashboard } = served.platform.credentials
  const port = await findFreePort()
  await served.ask('PUT', '/api/v1/stream-connection', { brokers: [`127.0.0.1:${port}`], topic: 'telemetry', enabled: false })
  const chat = await startReceiver(t, answerWith(404, {}, 'no_service'))
  const given = { name: 'Werkstatt', kind: 'slack', url: chat.url }
  const { channel } = await served.ask<{ channel: { id: string } }>('POST', '/api/v1/notification-channels', given)
  await served.ask('POST', `/api/v1/notification-channels/${channel.id}/test`)

  const { page, complaints } = await newPage(browser)
  await page.goto(`${dashboard.url}sims`)
  await signIn(page, dashboard)
  await page.getByRole('heading', { level: 1, name: 'SIMs' }).waitFor()
  await choosePreferences(page, '{"language":"de","units":"metric"}')

  await page.goto(`${dashboard.url}settings/stream`)
  await page.getByRole('button', { name: 'Verbindung testen' }).click()
  await page.getByText(`127.0.0.1:${port} lehnt Verbindungen ab (ECONNREFUSED). Bitte den Port prüfen`).waitFor()
  await page.getByText('Nicht versucht, weil „Verbindung“ nicht bestanden ist.').first().waitFor()
  assert.doesNotMatch(await page.getByRole('main').innerText(), /refuses|Check the|Not tried/)
  if (folder !== undefined) await page.screenshot({ path: `${folder}/said-stream.png`, fullPage: true })

  await page.goto(`${dashboard.url}settings/notifications`)
  await page.getByText('Slack antwortete mit Status 404: no_service.').first().waitFor()
  if (folder !== undefined) await page.screenshot({ path: `${folder}/said-messages.png`, fullPage: true })

  await page.goto(`${dashboard.url}models`)
  await page.getByRole('textbox', { name: 'Ein Messwert als JSON' }).fill('{"vehicleId":"truck-one","coolnt_temp":91}')
  await page.getByRole('button', { name: 'Vorhersage abfragen' }).click()
  await page.getByText('unbekannt, in „extra“ aufbewahrt; der ähnlichste bekannte Name ist „coolant_temp“').waitFor()
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('what a person chooses follows them into another browser, and whom they invite begins with it', inBrowser, async () => {
  const { dashboard } = served.platform.credentials
  const languageOf = async (email: string) => {
    const { users } = await served.ask<{ users: { email: string; language: string | null; units: string | null }[] }>(
      'GET',
      '/api/v1/users',
    )
    const person = users.find((each) => each.email === email)
    return [person?.language, person?.units]
  }
  const { page, complaints } = await newPage(browser)
  await page.goto(`${dashboard.url}settings/preferences`)
  await signIn(page, dashboard)
  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'Español' }).click()
  await page.getByRole('heading', { level: 1, name: 'Preferencias' }).waitFor()
  await until('the choice is saved', async () => (await languageOf(dashboard.email))[0] === 'es')

  // A browser in which nobody chose anything, in English.
  const other = await browser.newContext({ locale: 'en-US' })
  const second = await other.newPage()
  await second.goto(`${dashboard.url}settings/people`)
  await signIn(second, dashboard)
  await second.getByRole('heading', { level: 1, name: 'Personas' }).waitFor()
  await second.getByRole('button', { name: 'Invitar' }).click()
  const dialog = second.getByRole('dialog')
  await dialog.getByRole('textbox').first().fill('sol@acme.example')
  assert.equal(await dialog.getByRole('combobox', { name: 'Idioma' }).inputValue(), 'Español')
  if (folder !== undefined) await second.screenshot({ path: `${folder}/invitation.png` })
  await dialog.getByRole('button', { name: 'Invitar' }).click()
  await second.getByRole('dialog', { name: /sol@acme\.example/ }).waitFor()
  assert.deepEqual(await languageOf('sol@acme.example'), ['es', null])
  assert.deepEqual(complaints, [])
  await Promise.all([page.context().close(), other.close()])
})
