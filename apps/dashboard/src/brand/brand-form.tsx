import { Button, ColorInput, ColorSwatch, Group, Stack, Text, TextInput } from '@mantine/core'
import type { Brand, ShownBrand } from '@roadworthy/contracts/platform-v1/brands'
import type { FormEvent } from 'react'
import { settableOf, useChangeBrand } from '../api/brand-queries.ts'
import { refusalElsewhere, refusalOf } from '../shell/field-refusal.ts'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { type ColourUse, colourUses, isColour } from './colour-words.ts'

/** What was typed and is not saved yet; null where a field was emptied. */
export type BrandEdits = Partial<Pick<Brand, 'name' | 'colour' | 'supportEmail' | 'supportUrl'>>

const FIELDS = ['name', 'colour', 'supportEmail', 'supportUrl'] as const

type BrandFormProps = {
  subClientId: string | undefined
  brand: Brand
  inherited: ShownBrand
  edits: BrandEdits
  onEdit: (edits: BrandEdits) => void
}

export function BrandForm({ subClientId, brand, inherited, edits, onEdit }: BrandFormProps) {
  const change = useChangeBrand(subClientId)
  const current = { ...settableOf(brand), ...edits }
  const edit = (field: (typeof FIELDS)[number], typed: string) => {
    change.reset()
    onEdit({ ...edits, [field]: typed === '' ? null : typed })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(() => edits, { onSuccess: () => onEdit({}) })
  }
  const field = (name: (typeof FIELDS)[number]) => ({
    value: current[name] ?? '',
    error: refusalOf(change.error, name),
  })
  const whose = subClientId === undefined ? t('Empty: that of the service') : t('Empty: as in your own brand')
  return (
    <Panel title={t('Name, colour and support')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            description={whose}
            placeholder={inherited.name}
            maxLength={60}
            {...field('name')}
            onChange={(event) => edit('name', event.currentTarget.value)}
          />
          <ColorInput
            label={t('Colour of buttons and links')}
            description={whose}
            placeholder={inherited.colour ?? '#0b7285'}
            format="hex"
            closeOnColorSwatchClick
            eyeDropperButtonProps={{ 'aria-label': t('Pick a colour from the screen') }}
            {...field('colour')}
            onChange={(colour) => edit('colour', colour)}
          />
          <ColourUses colour={current.colour ?? inherited.colour ?? '#0b7285'} />
          <TextInput
            label={t('Support e-mail')}
            description={t('On the pages for signing in, invitations and passwords')}
            type="email"
            maxLength={254}
            placeholder={inherited.supportEmail ?? ''}
            {...field('supportEmail')}
            onChange={(event) => edit('supportEmail', event.currentTarget.value.trim())}
          />
          <TextInput
            label={t('Support page')}
            description={t('In place of the e-mail address, where both are given')}
            type="url"
            maxLength={500}
            placeholder={inherited.supportUrl ?? 'https://'}
            {...field('supportUrl')}
            onChange={(event) => edit('supportUrl', event.currentTarget.value.trim())}
          />
          <Refusal error={refusalElsewhere(change.error, FIELDS)} />
          <Group justify="flex-end" gap="sm">
            {change.isSuccess && (
              <Text size="sm" c="dimmed" role="status">
                {t('Saved')}
              </Text>
            )}
            <Button type="submit" size="sm" loading={change.isPending} disabled={Object.keys(edits).length === 0}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}

function ColourUses({ colour }: { colour: string }) {
  if (!isColour(colour)) return null
  const { light, dark } = colourUses(colour)
  return (
    <Stack gap={4} role="status">
      <Use scheme={t('Light scheme')} use={light} />
      <Use scheme={t('Dark scheme')} use={dark} />
    </Stack>
  )
}

function Use({ scheme, use: { shade, text } }: { scheme: string; use: ColourUse }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <ColorSwatch color={shade} size={16} mt={2} aria-hidden="true" />
      <Text size="xs" c="dimmed">
        {scheme}: {text}
      </Text>
    </Group>
  )
}
