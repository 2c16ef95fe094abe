import '@mantine/core/styles.css'
import './styles.css'
import { MantineProvider } from '@mantine/core'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ApiError } from './api/client.ts'
import { sessionQuery } from './api/queries.ts'
import { router } from './router.tsx'
import { theme } from './theme.ts'

const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // The session ended while the page was open: the next thing to show is the sign-in form.
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401) queryClient.setQueryData(sessionQuery.queryKey, { session: null })
    },
  }),
  defaultOptions: {
    queries: {
      // What was refused will be refused again; what failed to arrive is asked for again by the next poll.
      retry: (count, error) => !(error instanceof ApiError) && count < 2,
      refetchOnWindowFocus: true,
    },
  },
})

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
