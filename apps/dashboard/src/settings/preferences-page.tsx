import { SegmentedControl, Select, Stack, Text, useMantineColorScheme } from '@mantine/core'
import { type Language, languages, type Units } from '@roadworthy/wording/languages'
import { type ReactNode, useId } from 'react'
import { BrowserPanel } from '../notifications/browser-panel.tsx'
import { PersonalRulePanel } from '../notifications/personal-rule-panel.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { SingleKeysSwitch } from '../shell/single-keys-switch.tsx'
import { absoluteTime, distance, measure } from '../text/format.ts'
import { choose, language, timeZone, units } from '../text/preferences.ts'
import { t } from '../text/translate.ts'

/** Each in its own language, so that nobody is lost in one they cannot read. */
const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', es: 'Español' }

/** How the dashboard looks and writes for one person in one browser, and what they are notified of where. */
export function PreferencesPage() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Stack gap="md">
      <PageHeading title={t('Preferences')} />
      <Panel title={t('This browser')}>
        <Stack gap="md" align="flex-start">
          <Text size="sm" c="dimmed">
            {t('These are kept in this browser and are for you alone. Another language, unit or time zone loads the page anew.')}
          </Text>
          <Select
            label={t('Language')}
            allowDeselect={false}
            value={language}
            data={languages.map((value) => ({ value, label: languageNames[value] }))}
            onChange={(value) => choose({ language: languages.find((each) => each === value) ?? 'en' })}
          />
          <Choice label={t('Units')} hint={`${distance(1000)} · ${measure(90, '°C')} · ${measure(80, 'km/h')} · ${measure(300, 'kPa')}`}>
            {(labelId) => (
              <SegmentedControl
                aria-labelledby={labelId}
                value={units}
                data={[
                  { value: 'metric', label: t('Metric') },
                  { value: 'imperial', label: t('Imperial (US)') },
                ]}
                onChange={(value) => choose({ units: value as Units })}
              />
            )}
          </Choice>
          <Choice label={t('Times')} hint={absoluteTime(new Date().toISOString())}>
            {(labelId) => (
              <SegmentedControl
                aria-labelledby={labelId}
                value={timeZone === undefined ? 'local' : 'utc'}
                data={[
                  { value: 'local', label: t('Local time') },
                  { value: 'utc', label: t('UTC') },
                ]}
                onChange={(value) => choose({ zone: value === 'utc' ? 'utc' : 'local' })}
              />
            )}
          </Choice>
          <Choice label={t('Colours')}>
            {(labelId) => (
              <SegmentedControl
                aria-labelledby={labelId}
                value={colorScheme}
                data={[
                  { value: 'light', label: t('Light') },
                  { value: 'dark', label: t('Dark') },
                  { value: 'auto', label: t('As the computer') },
                ]}
                onChange={(value) => setColorScheme(value as typeof colorScheme)}
              />
            )}
          </Choice>
          <SingleKeysSwitch />
        </Stack>
      </Panel>
      <PersonalRulePanel />
      <BrowserPanel />
    </Stack>
  )
}

/** `hint` shows what the choice does. */
function Choice({ label, hint, children }: { label: string; hint?: string; children: (labelId: string) => ReactNode }) {
  const id = useId()
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm" fw={500} id={id}>
        {label}
      </Text>
      {children(id)}
      {hint !== undefined && (
        <Text size="xs" c="dimmed" className="numbers">
          {hint}
        </Text>
      )}
    </Stack>
  )
}
