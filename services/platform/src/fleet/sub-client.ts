/** Spec gap §3: the values of a sub-client's status. */
export const subClientStatuses = ['active', 'suspended', 'deactivated'] as const
export type SubClientStatus = (typeof subClientStatuses)[number]
