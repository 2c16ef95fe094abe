// Communication between control units. Columns and fault letters: code-table.ts. Numbers: SAE J2012, as in public lists that agree on
// them. The class is that of what is lost when the unit is silent.
export const networkCodes = `
# buses
U0001 U0002 | fault | network | workshop | high-speed CAN bus | Several systems may fail at once
U0003..U0009 | e l h e l h s | network | soon | high-speed CAN bus | Several systems may fail at once
U0010..U0018 | fault | network | soon | medium-speed CAN bus
U0019..U0027 | fault | network | service | low-speed CAN bus
U0028..U0036 U0037..U0045 U0046..U0054 U0055..U0063 U0064..U0072 | fault | network | soon | communication bus of the vehicle
U0073..U0077 | =A B C D E | network | workshop | communication bus # is off | Several systems may fail at once
U0300 | - | network | soon | control units with software that does not match
U0301 U0302 U0315 | =engine transmission ABS | network | soon | software of the # control unit does not match
U3000 U3006 | =internal_fault supply | network | soon | control unit: #
U3001 U3002 | =shut_down_improperly VIN | network | service | control unit: #

# units that do not answer
U0100 U0115 | =A B | network | workshop | no communication with engine control unit # | The engine may stop or not start
U0101 | - | network | workshop | no communication with the transmission control unit | It may stay in one gear
U0102 U0103 U0114 | =transfer_case gear_selector four-wheel_drive | network | soon | no communication: # control unit
U0104 | - | network | note | no communication with the cruise control
U0105 U0107 U0109 | =injector throttle fuel_pump | network | workshop | no communication: # control unit | The engine may stop or not start
U0106 U0108 | =glow_plug alternative_fuel | network | soon | no communication: # control unit
U010A U010B | =A B | network | soon | no communication with exhaust gas recirculation #
U010C U010D | =A B | network | soon | no communication with turbocharger #
U010E | - | network | soon | no communication with the reductant control unit | A countdown to less power or no restart may begin
U010F U0164 | - | network | note | no communication with the air conditioning
U0110 | - | network | workshop | no communication with the drive motor control unit | The vehicle may lose drive
U0111 U0112 | =A B | network | workshop | no communication with traction battery control unit # | The vehicle may lose drive
U0113 | - | network | soon | no communication: emission-related information
U0120 | - | network | workshop | no communication with the starter generator
U0121 | - | network | workshop | no communication with the ABS control unit | ABS and stability control are off: leave distance
U0122 | - | network | workshop | no communication with the stability control unit | Stability control is off
U0123..U0126 | =yaw_rate lateral_acceleration acceleration steering_angle | network | soon | no communication: # sensor | Stability control may be off
U0127 | - | network | service | no communication with the tyre pressure control unit
U0128 | - | network | soon | no communication with the parking brake | Secure the vehicle with gear and chocks
U0129 | - | network | workshop | no communication with the brake control unit | Brake assistance may fail: leave distance
U0130 U0131 | - | network | workshop | no communication with the power steering | Steering may get heavy
U0132 U0133 U0134 | =suspension roll_control rear_steering | network | soon | no communication: # control unit
U0137 | - | network | workshop | no communication with the trailer brake control unit | The trailer may not brake
U0140..U0145 | - | network | soon | no communication with a body control unit | Lamps and wipers may fail
U0146 U0147 | =A B | network | soon | no communication with gateway #
U0151..U0154 | =airbag left_side_airbag right_side_airbag occupant_detection | network | workshop | no communication: # control unit | Airbags may not deploy
U0155 U0156 | =instruments information | network | soon | no communication: # display | Warnings would not be seen
U0159 | - | network | note | no communication with the parking aid
U0167 U0168 | =immobiliser security | network | soon | no communication: # control unit | The engine may not start
U0180..U0183 | - | network | soon | no communication with a lighting control unit | Check the lamps before driving in the dark
U0184..U0198 | - | network | note | no communication with radio, phone or entertainment
U0199 U0200..U0205 | - | network | note | no communication with a door control unit
U019B | - | network | soon | no communication with the on-board charger | The vehicle may not charge
U01B0 | - | network | service | no communication with the battery monitor
U0208..U0211 | - | network | note | no communication: seat or roof control unit
U0212 | - | network | soon | no communication with the steering column control unit
U0230 U0231 | - | network | note | no communication: tailgate or rain sensor
U0235 | - | network | service | no communication with the front radar | Emergency braking may be off
U0293 | - | network | workshop | no communication with the hybrid control unit | The vehicle may lose drive
U0298 | - | network | workshop | no communication with the DC/DC converter | The 12 V battery may run flat
U029D U029E | =before behind | network | soon | no communication with the NOx sensor # the catalyst | A countdown to less power or no restart may begin

# units that send what makes no sense
U0401 U0402 | =engine transmission | network | soon | implausible data from the # control unit
U0404 U0405 | =gear_selector cruise_control | network | service | implausible data from: #
U0411 U0412 | =drive_motor traction_battery | network | soon | implausible data from the # control unit
U0415 U0416 U0418 | =ABS stability brake | network | soon | implausible data from the # control unit | ABS and stability control may be off
U0420 U0428 | =power_steering steering_angle | network | soon | implausible data from: #
U0422 U0423 | =body instruments | network | service | implausible data from: #
U0426 | - | network | soon | implausible data from the immobiliser
U0452 | - | network | soon | implausible data from the airbag control unit
`
