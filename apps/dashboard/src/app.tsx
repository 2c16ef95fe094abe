import './mantine.css'
import './styles.css'
import { MantineProvider } from '@mantine/core'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { brandQuery, followRefusal } from './api/queries.ts'
import { isAskedAgain } from './api/retry.ts'
import { showUnseenRefusals } from './api/unseen-refusals.ts'
import { router } from './router.tsx'
import { cssVariables, themeOf } from './theme.ts'

const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => followRefusal(queryClient, error) }),
  mutationCache: new MutationCache({ onError: (error) => followRefusal(queryClient, error) }),
  defaultOptions: {
    queries: {
      retry: isAskedAgain,
      refetchOnWindowFocus: true,
    },
    // Else what a person asks for without a network waits for it, and is done when it is back, even after the person has left the page.
    mutations: { networkMode: 'always' },
  },
})
showUnseenRefusals(queryClient.getMutationCache())

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Themed />
    </QueryClientProvider>
  )
}

/** Nothing is shown in other colours first. When the service does not answer, the message about it has our own colours. */
function Themed() {
  const brand = useQuery(brandQuery)
  if (brand.isPending) return null
  return (
    <MantineProvider theme={themeOf(brand.data?.colour ?? null)} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <RouterProvider router={router} />
    </MantineProvider>
  )
}
