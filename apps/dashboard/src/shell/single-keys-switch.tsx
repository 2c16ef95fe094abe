import { Switch } from '@mantine/core'
import { t } from '../text/translate.ts'
import { switchSingleKeys, useSingleKeys } from './single-keys.ts'

export function SingleKeysSwitch() {
  return (
    <Switch
      label={t('Shortcuts of a single key')}
      description={t('Such as j for the next incident. Switch them off if speech input or a resting hand sets them off.')}
      checked={useSingleKeys()}
      onChange={(event) => switchSingleKeys(event.currentTarget.checked)}
    />
  )
}
