// What the audit log calls the fields of a change, in words. `audit-words.test.ts` finds fields that the service writes down and that have none.

import { entryOf } from '@roadworthy/wording/entry-of'
import { t } from '../text/translate.ts'

/** By the name in camel case, also of the parts of a field that has some; a field without words is shown by its name. */
export const fieldWords: Readonly<Record<string, string>> = {
  ...{ name: t('Name'), status: t('State'), email: t('E-mail'), role: t('Role'), subClientId: t('Sub-client'), vehicleId: t('Vehicle') },
  ...{ deviceId: t('Device'), simId: t('SIM'), imei: t('IMEI'), deviceType: t('Kind'), connectionMethod: t('Connects by') },
  ...{ simNumber: t('SIM number'), licensePlate: t('Licence plate'), vin: t('VIN'), make: t('Make'), model: t('Model'), year: t('Year') },
  ...{ contactEmail: t('Contact e-mail'), contactPhone: t('Contact phone'), metadata: t('Metadata'), limits: t('Limits') },
  ...{ viewAs: t('View as'), scopes: t('May'), last4: t('Last four characters'), perMinute: t('Calls a minute'), perDay: t('Calls a day') },
  ...{ expiresAt: t('Ends'), enabled: t('Switched on'), url: t('Address'), eventTypes: t('Events'), description: t('Description') },
  ...{ plan: t('Plan'), subscription: t('Standing'), timeZone: t('Time zone'), currency: t('Currency'), amount: t('Amount') },
  ...{
    gateway: t('Gateway'),
    operator: t('Operator'),
    settings: t('Settings'),
    credentials: t('Credentials'),
    baseUrl: t('Address of the API'),
  },
  ...{ number: t('Number'), month: t('Month'), dueAt: t('Due date'), paidMinor: t('Paid'), totalMinor: t('Total'), reason: t('Reason') },
  ...{ invoiceId: t('Invoice'), assignee: t('Assigned to'), snoozedUntil: t('Snoozed until'), component: t('Part'), note: t('Note') },
  ...{ odometerKm: t('Odometer'), cost: t('Cost'), hosts: t('Host names'), colour: t('Colour'), secretsSealed: t('Credentials stored') },
  ...{ language: t('Language'), units: t('Units') },
  ...{ mailed: t('Mailed'), reminder: t('Reminder'), taxes: t('Taxes'), effectiveFrom: t('From the month'), severity: t('Severity') },
  // devices, vehicles, groups
  ...{ externalRef: t('Reference of your own'), vehicleClass: t('Kind of vehicle'), fuelType: t('Fuel'), drivetrain: t('Drive') },
  ...{ batteryNominalV: t('Nominal battery voltage'), graceS: t('Overlap in seconds'), until: t('Until') },
  ...{ addedVehicleIds: t('Vehicles added'), removedVehicleIds: t('Vehicles taken out'), devices: t('Devices') },
  ...{ engineHours: t('Engine hours') },
  // maintenance, incidents
  ...{ title: t('What is to be done'), every: t('Every'), remind: t('Reminder before'), last: t('Last done'), days: t('Days') },
  ...{ km: t('Kilometres'), at: t('When'), scheduleId: t('Schedule'), completedAt: t('Done at'), notes: t('Notes') },
  ...{ conditionFound: t('How was the part?'), renewed: t('The part is new now'), predictionId: t('Prediction') },
  ...{ maintenanceId: t('Work') },
  // SIMs, operators
  ...{ iccid: t('ICCID'), action: t('Action'), actionId: t('Action (id)'), from: t('Beginning'), to: t('End'), planId: t('Rate plan') },
  ...{ isDefaultPlan: t('By the default rate plan'), operatorPlan: t('Name at the operator'), suspendedBy: t('Suspended by') },
  ...{ suspendedReason: t('Reason of the suspension'), custodyUntil: t('Safe custody until'), terminatesAt: t('Ends for good') },
  ...{ dataLimitBytes: t('Data limit in bytes'), suspending: t('SIMs that are being suspended') },
  ...{ resuming: t('SIMs that are being activated'), waiting: t('SIMs that wait for another action') },
  ...{ left: t('SIMs that stay as they are'), scope: t('Scope'), full: t('In full'), connections: t('Connections') },
  ...{ custodyMinDays: t('Least number of days in safe custody'), custodyMaxDays: t('Most days in safe custody') },
  ...{ custodyOnExpiry: t('After safe custody'), terminationGraceDays: t('Days until a SIM ends for good') },
  ...{ syncEveryMinutes: t('Minutes between synchronisations'), defaultPlanId: t('Default rate plan') },
  // streams, webhooks
  ...{ brokers: t('Brokers'), topic: t('Topic'), groupId: t('Consumer group'), startAt: t('A new group begins with') },
  ...{ tls: t('Encrypted (TLS)'), authorities: t('Certificates of the authorities'), certificate: t('Our certificate') },
  ...{ mechanism: t('Sign-in (SASL)'), username: t('User'), secrets: t('Credentials'), headerNames: t('Header fields') },
  ...{ eventType: t('Event'), since: t('Since') },
  // brand, account, keys, readings
  ...{ supportEmail: t('Support e-mail'), supportUrl: t('Support page'), logo: t('Logo'), host: t('Host'), kind: t('Kind') },
  ...{ target: t('Target'), revokedAt: t('Revoked at'), replacedBy: t('Replaced by') },
  ...{ deviceVehicleLimit: t('Vehicles that devices may create'), maintenanceLeadDays: t('Days for which work is due soon') },
  ...{ readings: t('Readings'), files: t('Files that were rewritten'), kept: t('Kept'), subClients: t('Sub-clients') },
  ...{ manifest: t('Manifest (SHA-256)'), asOf: t('As of') },
  // notifications
  ...{ ownerId: t('Whose'), isEnabled: t('Switched on'), minSeverity: t('Least severity'), components: t('Parts') },
  ...{ vehicleIds: t('Vehicles'), vehicleGroupIds: t('Groups'), recipients: t('Sent to'), workingHours: t('Only in working hours') },
  ...{ quietHours: t('Not in quiet hours'), criticalAtAnyHour: t('Critical incidents at any hour') },
  ...{ repeatMinutes: t('Minutes until it is sent again'), escalation: t('Escalation'), afterMinutes: t('After so many minutes') },
  ...{ digest: t('A digest of the day') },
  // billing
  ...{ creditedMinor: t('Credited'), receivedOn: t('Came in on'), reference: t('Reference') },
  ...{ revision: t('Revision'), corrects: t('Corrects'), creditNote: t('Credit note'), money: t('Money') },
  ...{ unappliedMinor: t('Not set against anything'), refundId: t('Refund'), unansweredSince: t('Without an answer since') },
  ...{ archivedAt: t('Archived at'), rental: t('Rental'), includedMegabytes: t('Included data') },
  ...{ overagePerMegabyte: t('Each MB beyond what is included'), activationFee: t('Activation fee'), custodyFee: t('Custody fee') },
  ...{ pooled: t('All SIMs of a customer share the included data'), prorated: t('By days'), subscriptionFee: t('Monthly fee') },
  ...{ meters: t('Prices'), meter: t('What is counted'), price: t('Price'), per: t('For so many'), included: t('Free in a month') },
  ...{ issuer: t('Issuer'), party: t('Billed to'), numberPrefix: t('Before the number of an invoice') },
  ...{ paymentTermsDays: t('Days until an invoice is due'), draftGraceHours: t('Hours until a draft is issued') },
  ...{ defaultMarginPercent: t('Margin in percent'), marginPercent: t('Margin in percent'), footer: t('At the foot of every invoice') },
  ...{ reminderDays: t('Reminders'), suspendAfterDays: t('Days overdue until the account is past due') },
  ...{ holdSimsAfterDays: t('Days overdue until SIMs are suspended'), taxIds: t('Taxes it bears'), taxId: t('Id') },
  ...{ ratePercent: t('Percent'), category: t('Category'), exemptionReason: t('Why nothing is charged') },
  ...{ buyerReference: t('Its own reference'), planOverrides: t('Own prices of a rate plan'), prices: t('Prices') },
  ...{ subscriptionFeeOverride: t('Own monthly fee'), meterOverrides: t('Own prices'), addressLines: t('Street'), city: t('City') },
  ...{ postalCode: t('Postal code'), region: t('State or province'), countryCode: t('Country'), taxNumber: t('Tax number') },
  ...{ phone: t('Phone') },
}

/** Fields whose value is one word of a closed list of the service. */
const LISTED = new Set(['status', 'role', 'severity', 'minSeverity', 'conditionFound', 'from', 'to'])

const valueWords: Readonly<Record<string, string>> = {
  ...{ active: t('Active'), pending: t('Pending'), suspended: t('Suspended'), decommissioned: t('Decommissioned') },
  ...{ deactivated: t('Deactivated'), retired: t('Retired'), planned: t('Planned'), completed: t('Done') },
  ...{ open: t('Open'), acknowledged: t('Acknowledged'), snoozed: t('Snoozed'), resolved: t('Resolved') },
  ...{ inventory: t('Inventory'), test: t('Test'), safe_custody: t('Safe custody'), terminating: t('Terminating') },
  ...{ terminated: t('Terminated'), draft: t('Draft'), overdue: t('Overdue'), paid: t('Paid'), void: t('Void') },
  ...{ owner: t('Owner'), member: t('Member'), viewer: t('Viewer'), sub_client_viewer: t('Sub-client viewer') },
  ...{ critical: t('Critical'), high: t('High'), medium: t('Medium'), low: t('Low'), info: t('Info') },
  ...{ sound: t('Sound'), worn: t('Worn'), failed: t('Failed') },
}

/** `status` `paid` as `Paid`; a value of any other field has no words. */
export function valueWord(field: string, value: string): string | undefined {
  return LISTED.has(field) ? entryOf(valueWords, value) : undefined
}
