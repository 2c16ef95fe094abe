import { TextInput } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { t } from '../text/translate.ts'
import { Confirmation } from './confirmation.tsx'

type TypedConfirmationProps = Omit<ComponentProps<typeof Confirmation>, 'isReady' | 'color'> & {
  /** What has to be typed, such as the name of the thing. */
  word: string
}

/** Of what cannot be undone: the button works when the name has been typed. */
export function TypedConfirmation({ word, children, ...confirmation }: TypedConfirmationProps) {
  const [typed, setTyped] = useState('')
  return (
    <Confirmation {...confirmation} color="red" isReady={typed.trim() === word}>
      {children}
      <TextInput
        label={t('Type {word} to confirm', { word })}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Confirmation>
  )
}
