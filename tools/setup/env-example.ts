import { engineEnvExample } from '@roadworthy/engine/settings'
import { platformEnvExample } from '@roadworthy/platform/main/settings/settings'

const HEAD = '# Written from the settings schemas by npm run env-example; a test keeps them equal.'
const ENGINE = '# The ML engine, on its own (npx roadworthy engine) or as the platform starts it, which hands these on.'

/** The text of `.env.example`. A setting that both services know stands there once. */
export function envExample(): string {
  const { text, keys } = platformEnvExample()
  return `${HEAD}\n\n${text}\n${ENGINE}\n\n${engineEnvExample([...keys, 'exitWithParent'])}`
}
