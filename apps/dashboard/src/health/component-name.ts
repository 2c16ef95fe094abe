import { sentenceCase } from '../text/format.ts'
import { t } from '../text/translate.ts'

/** Those that predictions name. */
const names: Readonly<Record<string, string>> = {
  ...{ engine: t('Engine'), cooling: t('Cooling'), lubrication: t('Lubrication'), fuel: t('Fuel system'), transmission: t('Transmission') },
  ...{ brakes: t('Brakes'), battery: t('Battery'), charging: t('Charging'), intake: t('Intake'), emissions: t('Emissions') },
  ...{
    aftertreatment: t('Aftertreatment'),
    high_voltage: t('High voltage'),
    chassis: t('Chassis'),
    body: t('Body'),
    network: t('Network'),
  },
}

/** Of a part as people call it; what a person named themselves stays as it is. */
export function componentName(component: string): string {
  return names[component] ?? sentenceCase(component)
}
