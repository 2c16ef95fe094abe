// Shows messages that the service pushes to this browser, also while no page of the dashboard is open, and opens what a message is about at a click.
// It is served as it stands here and at the root, so that it acts for every page. https://w3c.github.io/push-api/

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  const { title, body, topic, path } = event.data.json()
  // A later message about the same incident takes the place of the one before, and is heard.
  event.waitUntil(self.registration.showNotification(title, { body, tag: topic, renotify: true, data: { path } }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.path))
})

async function open(path) {
  const { href } = new URL(path, self.location.origin)
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = pages.find(({ url }) => url === href)
  await (shown === undefined ? self.clients.openWindow(href) : shown.focus())
}
