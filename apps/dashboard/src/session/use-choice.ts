import type { PreferencesRequest, Session, SessionAnswer } from '@roadworthy/contracts/platform-v1/session'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Static } from 'typebox'
import { send } from '../api/client.ts'
import { sessionQuery } from '../api/queries.ts'
import { language, remember, remembered, units } from '../text/preferences.ts'
import { choiceOf } from './choice.ts'

/** Has this browser and the service agree on the language and units of the person. Loads the page anew where it is shown in others. */
export function useChoice({ userId, language, units }: Session): void {
  const queryClient = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person may have the same choice.
  useEffect(() => {
    agree(queryClient, { language, units }).catch((error: unknown) => {
      // It is tried again with the next page that is loaded.
      console.warn('The language and the units could not be brought together with the service.', error)
    })
  }, [queryClient, userId, language, units])
}

async function agree(queryClient: QueryClient, there: Pick<Session, 'language' | 'units'>): Promise<void> {
  const shown = { language, units }
  const choice = choiceOf(remembered(), shown, there)
  if (choice.language !== there.language || choice.units !== there.units) {
    const { session } = await send<Static<typeof SessionAnswer>>(
      'PUT',
      '/session/preferences',
      choice satisfies Static<typeof PreferencesRequest>,
    )
    queryClient.setQueryData(sessionQuery.queryKey, (state) => state && { ...state, session })
  }
  remember({ ...choice, agreed: choice })
  if (choice.language !== shown.language || choice.units !== shown.units) location.reload()
}
