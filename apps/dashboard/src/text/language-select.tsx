import { Select } from '@mantine/core'
import { type Language, languages } from '@roadworthy/wording/languages'
import { t } from './translate.ts'

/** Each in its own language, so that nobody is lost in one they cannot read. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', es: 'Español' }

type LanguageSelectProps = { value: Language; description?: string; onChange: (language: Language) => void }

export function LanguageSelect({ value, description, onChange }: LanguageSelectProps) {
  return (
    <Select
      label={t('Language')}
      description={description}
      allowDeselect={false}
      value={value}
      data={languages.map((each) => ({ value: each, label: languageNames[each] }))}
      onChange={(chosen) => onChange(languages.find((each) => each === chosen) ?? value)}
    />
  )
}
