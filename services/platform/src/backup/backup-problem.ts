/** A backup that cannot be made, or one that cannot be restored. The message is for a person: what is wrong, and what to do about it. */
export class BackupProblem extends Error {
  override readonly name = 'BackupProblem'
}

/** Nothing is restored, because the database has tables already. */
export class OccupiedDatabase extends BackupProblem {}
