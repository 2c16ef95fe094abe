import { PageHeading } from '../shell/page-heading.tsx'
import { t } from '../text/translate.ts'
import { BrandEditor } from './brand-editor.tsx'

export function BrandPage() {
  return (
    <>
      <PageHeading title={t('Brand')} />
      <BrandEditor subClientId={undefined} />
    </>
  )
}
