import { Button, CopyButton, Group, Tabs, Text } from '@mantine/core'
import { Panel } from '../shell/panel.tsx'
import { Source } from '../shell/source.tsx'
import { t } from '../text/translate.ts'
import { snippets } from './verification-snippets.ts'

/** What a developer pastes into a receiver. */
export function VerificationPanel() {
  return (
    <Panel title={t('Verify in your receiver')}>
      <Text size="sm" mb="sm">
        {t(
          'Each call is signed by Standard Webhooks. Verify the bytes as they came, answer 2xx within 15 s, and do the work afterwards. An event may come twice: know it by its id.',
        )}
      </Text>
      <Tabs defaultValue={snippets[0].name} keepMounted={false}>
        <Tabs.List>
          {snippets.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ name, code }) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <Source text={code} label={name} />
            <Group justify="flex-end" mt="xs">
              <CopyButton value={code}>
                {({ copied, copy }) => (
                  <Button size="xs" variant="default" onClick={copy}>
                    {copied ? t('Copied') : t('Copy')}
                  </Button>
                )}
              </CopyButton>
            </Group>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Panel>
  )
}
