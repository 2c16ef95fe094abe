/** Path of the Node that npm installed in the checkout at `root`; of the Node at hand where there is none. */
export function installedNode(root: string): string
