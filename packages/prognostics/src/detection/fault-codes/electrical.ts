// 12 V and 24 V supply, charging, and control units. Columns and fault letters: code-table.ts. Numbers: SAE J2012 as listed in
// fabiovila/OBDIICodes (24.h), gaps of its series filled from general knowledge of J2012.
export const electricalCodes = `
# supply and charging
P0560 | fault | battery | soon | system voltage
P0561 | - | battery | soon | system voltage unstable
P0562 | - | battery | soon | system voltage too low | Charging may have failed; the vehicle stops when the battery is empty
P0563 | - | battery | soon | system voltage too high | Overcharging gasses the battery and harms electronics
P0514..P0517 | p e l h | battery | service | battery temperature sensor
U3003 | fault | battery | soon | supply voltage of a control unit
P0620..P0622 | E E E | charging | soon | alternator | The battery may run flat
P0623 | E | charging | note | charge lamp
P0625 P0626 | l h | charging | soon | alternator field | The battery may run flat
P2500 P2501 | l h | charging | soon | charge lamp or L terminal of the alternator
P2502 | fault | charging | soon | charging voltage
P2503 | - | charging | workshop | charging voltage too low | The vehicle stops when the battery is empty
P2504 | - | charging | workshop | charging voltage too high | Overcharging gasses the battery and harms electronics
P065A | - | charging | soon | charging system does not do what it should
P065B | P | charging | soon | alternator control
P065C | - | charging | soon | alternator: mechanical fault
P063A..P063D | e p l h | charging | soon | voltage feedback of the alternator
P2505..P2509 | e p l h i | battery | soon | supply of the engine control unit

# control units
P0600 | e | engine | soon | data link between control units
P0601 P0604 P0605 P062F | =checksum working permanent stored_values | engine | soon | engine control unit: memory fault, #
P0602 | - | engine | soon | engine control unit not programmed
P0603 | - | engine | soon | engine control unit loses its memory when switched off
P0606 P0607 P060A..P060C | - | engine | soon | engine control unit: internal fault | The engine may stop or run with less power
P060D P060E P060F P061A P061D | =pedal throttle coolant_temperature torque air_mass | engine | soon | engine control unit: internal check of #
P061E | - | brakes | soon | engine control unit: internal check of the brake signal
P0608 P0609 | =A B * E | engine | note | speed output #
P0610 P0614 P0630 P0631 P0632 | - | engine | service | control unit not set up for this vehicle
P0633 P0513 | - | body | soon | immobiliser key not accepted | The engine may not start
P0634 P06AA | - | engine | soon | engine control unit too hot
P0666..P0669 | e p l h | engine | service | temperature sensor in the engine control unit
P0641..P0643 P0651..P0653 P0697..P0699 | =A B C * e l h | engine | soon | sensor supply # | Several sensors fail at once
P06A3..P06A5 | e l h | engine | soon | sensor supply D
P06A6..P06A9 | =A B C D * p | engine | soon | sensor supply #
P06B0..P06B2 | e l h | engine | soon | power supply A of sensors
P06B3..P06B5 | e l h | engine | soon | power supply B of sensors
P0657..P0659 P2669..P2671 P2684..P2686 | =A B C * E L H | engine | soon | actuator supply #
P0685..P0687 | E L H | engine | soon | main relay of the engine control | The engine may stop or not start
P0688..P0690 | e l h | engine | soon | main relay feedback of the engine control
P068A | - | engine | soon | main relay switches off too early
P0650 | E | engine | service | engine warning lamp | A fault would not be seen
P0654 P0655 | E E | engine | note | engine speed or hot-engine output
P2610 | fault | engine | note | engine-off timer
`
