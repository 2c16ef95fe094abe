/** How bad a thing is, mildest first (Spec gap §2.7: the spec shows `medium` and `critical`). */
export const severities = ['info', 'low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof severities)[number]

export const severityRank: Readonly<Record<Severity, number>> = { info: 0, low: 1, medium: 2, high: 3, critical: 4 }
