import { Button, FileButton, Group, Text } from '@mantine/core'
import type { Brand, ShownBrand } from '@roadworthy/contracts/platform-v1/brands'
import { useState } from 'react'
import { useChangeLogo, useRemoveLogo } from '../api/brand-queries.ts'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { logoProblem, MAX_LOGO_KIB } from './logo-file.ts'

export function LogoPanel({ subClientId, brand, inherited }: { subClientId: string | undefined; brand: Brand; inherited: ShownBrand }) {
  const change = useChangeLogo(subClientId)
  const remove = useRemoveLogo(subClientId)
  const [problem, setProblem] = useState<string>()
  const choose = (file: File | null) => {
    if (file === null) return
    const found = logoProblem(file)
    setProblem(found)
    change.reset()
    remove.reset()
    if (found === undefined) change.mutate(file)
  }
  const logoUrl = brand.logoUrl ?? inherited.logoUrl
  return (
    <Panel title={t('Logo')}>
      {logoUrl === null ? (
        <Text size="sm" c="dimmed">
          {t('There is none: the sign of the service is shown.')}
        </Text>
      ) : (
        <div className="logo-previews">
          <img src={logoUrl} alt={t('The logo on a light page')} className="logo-on-light" />
          <img src={logoUrl} alt={t('The logo on a dark page')} className="logo-on-dark" />
        </div>
      )}
      {brand.logoUrl === null && inherited.logoUrl !== null && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('This one is inherited from your own brand.')}
        </Text>
      )}
      <Group gap="xs" mt="sm">
        <FileButton onChange={choose} accept="image/png,image/jpeg,image/webp" inputProps={{ 'aria-label': t('Image of the logo') }}>
          {(props) => (
            <Button {...props} variant="default" size="sm" loading={change.isPending}>
              {brand.logoUrl === null ? t('Choose an image') : t('Replace')}
            </Button>
          )}
        </FileButton>
        {brand.logoUrl !== null && (
          <Button variant="default" size="sm" c="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('Remove')}
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed" mt="xs">
        {t('PNG, JPEG or WebP of at most {size} KiB, up to four times as wide as high. It should be seen on light and on dark.', {
          size: MAX_LOGO_KIB,
        })}
      </Text>
      {problem !== undefined && (
        <Text size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
      <Refusal error={change.error ?? remove.error} />
    </Panel>
  )
}
