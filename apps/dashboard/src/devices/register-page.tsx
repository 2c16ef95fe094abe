import { Button, Group, NumberInput, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import type { DeviceRegistered } from '@roadworthy/contracts/platform-v1/devices'
import { Link, Navigate, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useRegisterDevice } from '../api/device-queries.ts'
import { useIsOfReseller, useMayChange } from '../session/use-session.ts'
import { Message } from '../shell/message.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { CredentialsPanel, FirstMessage } from './credentials-panel.tsx'
import { SubClientSelect, VehicleSelect } from './owner-selects.tsx'
import { PhonePanel } from './phone-panel.tsx'
import {
  type DeviceForm,
  deviceMistakes,
  deviceTypes,
  emptyDevice,
  emptyVehicle,
  hasMistakes,
  toRegistration,
  typeLabel,
  type VehicleForm,
  vehicleMistakes,
} from './register-form.ts'

const steps = ['device', 'vehicle', 'credentials'] as const
type Step = (typeof steps)[number]

const stepNames: Readonly<Record<Step, string>> = { device: t('Device'), vehicle: t('Vehicle'), credentials: t('Credentials') }

/** From a device in the hand to its first message. The step is in the address, so that the browser's Back leads to the step before. */
export function RegisterPage() {
  const mayChange = useMayChange()
  const { step, registered: id } = useSearch({ from: '/devices/new' })
  const navigate = useNavigate()
  const { history } = useRouter()
  const [device, setDevice] = useState(emptyDevice)
  const [vehicle, setVehicle] = useState(emptyVehicle)
  const register = useRegisterDevice()
  if (!mayChange) return <Message title={t('You may look at devices, not register them')} isPage />
  const registered = register.data?.id === id ? register.data : undefined
  // After a reload: the credentials are gone, and new ones are made on the page of the device.
  if (id !== undefined && registered === undefined) return <Navigate to="/devices/$deviceId" params={{ deviceId: id }} replace />
  if (step === 'vehicle' && hasMistakes(deviceMistakes(device))) return <Navigate to="/devices/new" replace />
  const send = () => register.mutate(toRegistration(device, vehicle), { onSuccess: (answer) => void showCredentials(answer) })
  // In place of the step of the vehicle, and with nothing left that could be registered once more.
  const showCredentials = async (answer: DeviceRegistered) => {
    await navigate({ to: '/devices/new', search: { registered: answer.id }, replace: true })
    setDevice(emptyDevice)
    setVehicle(emptyVehicle)
  }
  const current = registered === undefined ? (step ?? 'device') : 'credentials'
  return (
    <div className="page narrow">
      <PageHeading title={t('Register a device')}>{current === 'device' && <ImportLink />}</PageHeading>
      <Steps current={current} />
      {current === 'device' && (
        <DeviceStep
          device={device}
          onChange={setDevice}
          onNext={() => void navigate({ to: '/devices/new', search: { step: 'vehicle' } })}
        />
      )}
      {current === 'vehicle' && (
        <VehicleStep vehicle={vehicle} subClientId={device.subClientId} onChange={setVehicle} onNext={send}>
          <Refusal error={register.error} />
          <StepButtons label={t('Register')} isPending={register.isPending} onBack={() => history.back()} />
        </VehicleStep>
      )}
      {registered !== undefined && <CredentialsStep registered={registered} />}
    </div>
  )
}

function ImportLink() {
  return <Link to="/devices/import">{t('Import a list instead')}</Link>
}

function Steps({ current }: { current: Step }) {
  return (
    <ol className="steps" aria-label={t('Steps')}>
      {steps.map((step, i) => (
        <li key={step} aria-current={step === current ? 'step' : undefined} data-done={i < steps.indexOf(current) || undefined}>
          {i + 1}. {stepNames[step]}
        </li>
      ))}
    </ol>
  )
}

/** The first field of a step has the focus, so that a keyboard goes on where the eye does. */
function useFirstFocus() {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}

type DeviceStepProps = { device: DeviceForm; onChange: (device: DeviceForm) => void; onNext: () => void }

function DeviceStep({ device, onChange, onNext }: DeviceStepProps) {
  const [mistakes, setMistakes] = useState<ReturnType<typeof deviceMistakes>>({})
  const isOfReseller = useIsOfReseller()
  const first = useFirstFocus()
  const edit = (edited: Partial<DeviceForm>) => onChange({ ...device, ...edited })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = deviceMistakes(device)
    setMistakes(found)
    if (!hasMistakes(found)) onNext()
  }
  return (
    <Panel title={t('Device')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <SegmentedControl
            aria-label={t('What it is')}
            value={device.way}
            data={[
              { value: 'tracker', label: t('Tracker or dongle') },
              { value: 'phone', label: t('Phone') },
            ]}
            onChange={(way) => edit({ way })}
          />
          <TextInput
            ref={first}
            label={t('Name')}
            placeholder={device.way === 'phone' ? t('Phone of Asha') : t('Truck 17 dongle')}
            maxLength={200}
            value={device.name}
            error={mistakes.name}
            onChange={(event) => edit({ name: event.currentTarget.value })}
          />
          {device.way === 'tracker' && <TrackerFields device={device} imeiMistake={mistakes.imei} onEdit={edit} />}
          {isOfReseller && <SubClientSelect value={device.subClientId} onChange={(subClientId) => edit({ subClientId })} />}
          <StepButtons label={t('Continue')} />
        </Stack>
      </form>
    </Panel>
  )
}

type TrackerFieldsProps = { device: DeviceForm; imeiMistake: string | undefined; onEdit: (edited: Partial<DeviceForm>) => void }

function TrackerFields({ device, imeiMistake, onEdit }: TrackerFieldsProps) {
  return (
    <>
      <TextInput
        label={t('IMEI')}
        description={t('14 to 16 digits, on the device or by *#06#')}
        inputMode="numeric"
        value={device.imei}
        error={imeiMistake}
        onChange={(event) => onEdit({ imei: event.currentTarget.value })}
      />
      <Select
        label={t('Kind')}
        allowDeselect={false}
        value={device.deviceType}
        data={deviceTypes.map((value) => ({ value, label: typeLabel(value) }))}
        onChange={(value) => onEdit({ deviceType: deviceTypes.find((each) => each === value) ?? 'other' })}
      />
      <TextInput
        label={t('SIM number')}
        description={t('The ICCID, where the device has a SIM')}
        maxLength={32}
        value={device.simNumber}
        onChange={(event) => onEdit({ simNumber: event.currentTarget.value })}
      />
    </>
  )
}

type VehicleStepProps = {
  vehicle: VehicleForm
  subClientId: string | null
  onChange: (vehicle: VehicleForm) => void
  onNext: () => void
  children: ReactNode
}

function VehicleStep({ vehicle, subClientId, onChange, onNext, children }: VehicleStepProps) {
  const [mistakes, setMistakes] = useState<ReturnType<typeof vehicleMistakes>>({})
  const edit = (edited: Partial<VehicleForm>) => onChange({ ...vehicle, ...edited })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = vehicleMistakes(vehicle)
    setMistakes(found)
    if (!hasMistakes(found)) onNext()
  }
  return (
    <Panel title={t('Vehicle')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <SegmentedControl
            aria-label={t('Which vehicle')}
            value={vehicle.mode}
            data={[
              { value: 'create', label: t('New') },
              { value: 'link', label: t('Known') },
              { value: 'none', label: t('None yet') },
            ]}
            onChange={(mode) => edit({ mode })}
          />
          {vehicle.mode === 'create' && <NewVehicle vehicle={vehicle} mistakes={mistakes} onEdit={edit} />}
          {vehicle.mode === 'link' && (
            <VehicleSelect
              value={vehicle.vehicleId}
              subClientId={subClientId}
              error={mistakes.vehicleId}
              onChange={(vehicleId) => edit({ vehicleId })}
            />
          )}
          {vehicle.mode === 'none' && (
            <Text size="sm">
              {t('The map shows vehicles: until the device has one, it is not there. Link one on the page of the device at any time.')}
            </Text>
          )}
          {children}
        </Stack>
      </form>
    </Panel>
  )
}

type NewVehicleProps = {
  vehicle: VehicleForm
  mistakes: ReturnType<typeof vehicleMistakes>
  onEdit: (edited: Partial<VehicleForm>) => void
}

function NewVehicle({ vehicle, mistakes, onEdit }: NewVehicleProps) {
  const first = useFirstFocus()
  return (
    <>
      <TextInput
        ref={first}
        label={t('Licence plate')}
        maxLength={32}
        value={vehicle.licensePlate}
        error={mistakes.licensePlate}
        onChange={(event) => onEdit({ licensePlate: event.currentTarget.value })}
      />
      <TextInput
        label={t('VIN')}
        description={t('A vehicle that is known by it is linked, not made again')}
        maxLength={17}
        value={vehicle.vin}
        error={mistakes.vin}
        onChange={(event) => onEdit({ vin: event.currentTarget.value })}
      />
      <Group grow gap="sm" align="flex-start">
        <TextInput
          label={t('Make')}
          maxLength={200}
          value={vehicle.make}
          onChange={(event) => onEdit({ make: event.currentTarget.value })}
        />
        <TextInput
          label={t('Model')}
          maxLength={200}
          value={vehicle.model}
          onChange={(event) => onEdit({ model: event.currentTarget.value })}
        />
      </Group>
      <NumberInput label={t('Year')} min={1900} max={2100} hideControls value={vehicle.year} onChange={(year) => onEdit({ year })} />
    </>
  )
}

function StepButtons({ label, isPending = false, onBack }: { label: string; isPending?: boolean; onBack?: () => void }) {
  return (
    <Group justify="space-between" gap="sm">
      {onBack === undefined ? (
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/devices" />}>
          {t('Cancel')}
        </Button>
      ) : (
        <Button variant="default" onClick={onBack}>
          {t('Back')}
        </Button>
      )}
      <Button type="submit" loading={isPending}>
        {label}
      </Button>
    </Group>
  )
}

function CredentialsStep({ registered }: { registered: DeviceRegistered }) {
  const navigate = useNavigate()
  // In its place, so that Back does not lead to what is shown once.
  const leave = () => void navigate({ to: '/devices/$deviceId', params: { deviceId: registered.id }, replace: true })
  const { id, trackerToken } = registered
  const label = t('Go to the device')
  return (
    <>
      {trackerToken === undefined ? (
        <CredentialsPanel credentials={registered} label={label} onStored={leave} />
      ) : (
        <PhonePanel token={trackerToken} label={label} onStored={leave} />
      )}
      <FirstMessage deviceId={id} isPhone={trackerToken !== undefined} />
    </>
  )
}
