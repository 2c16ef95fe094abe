import { Alert } from '@mantine/core'

/** Why something could not be done, in the words of the service. */
export function Refusal({ error }: { error: Error | null }) {
  if (error === null) return null
  return (
    <Alert color="red" role="alert">
      {error.message}
    </Alert>
  )
}
