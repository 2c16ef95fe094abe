import { SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core'
import type { Units } from '@roadworthy/wording/languages'
import { type ReactNode, useId } from 'react'
import { BrowserPanel } from '../notifications/browser-panel.tsx'
import { PersonalRulePanel } from '../notifications/personal-rule-panel.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { SingleKeysSwitch } from '../shell/single-keys-switch.tsx'
import { absoluteTime, distance, measure } from '../text/format.ts'
import { LanguageSelect } from '../text/language-select.tsx'
import { choose, language, timeZone, units } from '../text/preferences.ts'
import { t } from '../text/translate.ts'

/** How the dashboard looks and writes for one person, and what they are notified of where. */
export function PreferencesPage() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Stack gap="md">
      <PageHeading title={t('Preferences')} />
      <Panel title={t('How you read it')}>
        <Stack gap="md" align="flex-start">
          <Text size="sm" c="dimmed">
            {t(
              'Language and units are yours in every browser, and in mails and messages to you. The rest is kept in this browser. Another language, unit or time zone loads the page anew.',
            )}
          </Text>
          <LanguageSelect value={language} onChange={(chosen) => choose({ language: chosen })} />
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
