// Hybrid and electric drive: traction battery, isolation, contactors, inverter, drive motors, on-board charger (P0A to P0D). Columns and
// fault letters: code-table.ts. Numbers: SAE J2012. P0A09 to P0B2A as in a public list of J2012 texts; P0BE6, P0C00, P0C01, P0D02,
// P0D10 and P0D12 checked against public code pages (obdhut.com, obd2.com, obdguide.com), P0D20 to P0D2C against General Motors, P0D3A
// against Mitsubishi; the rest from general knowledge of J2012.
export const highVoltageCodes = `
# danger to persons
P0AA6 | - | high_voltage | stop | high voltage is not isolated from the body | Park, leave the car and touch no orange cable; only a high-voltage technician may work on it
P0AA7..P0AAB | e p l h i | high_voltage | soon | isolation monitor of the high voltage | Lost isolation would not be noticed
P0AA1 P0AA4 P0AE2 | =positive negative precharge | high_voltage | stop | # contactor of the traction battery stuck closed | High voltage stays on after switching off: leave work to a high-voltage technician
P0AA2 P0AA5 P0AE3 | =positive negative precharge | high_voltage | workshop | # contactor of the traction battery stuck open | The vehicle may not drive
P0AA0 P0AA3 P0AE1 | =positive negative precharge * E | high_voltage | soon | # contactor of the traction battery | The vehicle may not start
P0AD9..P0ADC P0ADD..P0AE0 P0AE4..P0AE7 | =positive negative precharge * E P L H | high_voltage | soon | # contactor control of the traction battery | The vehicle may not start
P0A0A..P0A0E | - | high_voltage | workshop | high-voltage interlock open or faulty | High voltage may be switched off while driving, or stay on at an open plug
P0A95 | fault | high_voltage | workshop | high-voltage fuse | The vehicle may not drive
P0C76 | - | high_voltage | workshop | high voltage takes too long to discharge | Terminals stay live: leave work to a high-voltage technician
P0C77 P0C78 | =short long | high_voltage | workshop | precharge of the high voltage takes too # | The vehicle may not start

# traction battery
P0A7D | - | high_voltage | soon | traction battery nearly empty | =Charge it at the next chance
P0A7E | - | high_voltage | stop | traction battery overheated | Park in the open, away from buildings, and leave the vehicle: a hot battery can catch fire
P0A7F | - | high_voltage | soon | traction battery has aged
P0A80 | - | high_voltage | workshop | traction battery to be replaced | Power may be limited or the vehicle may not start
P0AFD | - | high_voltage | note | traction battery too cold | Power is limited until it is warm
P0AF8 P0AF9 | - | high_voltage | soon | traction battery voltage unstable
P0AFA P0AFB | =low high | high_voltage | workshop | traction battery voltage too # | Power may be limited or the vehicle may stop
P0B24..P0B26 P0B28..P0B2A | =A B * unstable too_low too_high | high_voltage | workshop | voltage of traction battery #
P0BBD | - | high_voltage | workshop | cells of the traction battery differ too much | Power may be limited
P0AFC | fault | high_voltage | soon | sensor unit of the traction battery
P0A1F | fault | high_voltage | workshop | control unit of the traction battery | The vehicle may stop or not start
P0A9B..P0A9F P0AC5..P0AC9 P0ACA..P0ACE | =A B C * e p l h i | high_voltage | soon | temperature sensor # of the traction battery
P0AAC..P0AB0 P0AB1..P0AB5 | =A B * e p l h i | high_voltage | service | air temperature sensor # of the traction battery
P0ABA..P0ABE P0B14..P0B18 | =A B * e p l h i | high_voltage | soon | voltage sensor # of the traction battery
P0ABF..P0AC3 | e p l h i | high_voltage | soon | current sensor of the traction battery
P0B3B..P0B6C | =1..10 * e p l h i | high_voltage | soon | voltage sensor of cell group #
P0A81 P0A82 P0A83 P0A84 P0A85 | E F S L H | high_voltage | soon | fan 1 of the traction battery | The battery may overheat and limit power
P0A96..P0A9A | E F S L H | high_voltage | soon | fan 2 of the traction battery
P0C32 | - | high_voltage | soon | cooling of the traction battery does too little | The battery may overheat and limit power

# drive motors and inverters
P0A1B P0A1C P0A1D P0A1E | =of_drive_motor_A of_drive_motor_B of_the_hybrid_drive of_the_starter_generator * fault | high_voltage | workshop | control unit # | The vehicle may lose drive
P0A2F P0A35 P0A3B | =drive_motor_A drive_motor_B generator | high_voltage | workshop | # overheated | Power is limited: stop and let it cool
P0A3C P0A3D P0A3E | =drive_motor_A drive_motor_B the_generator | high_voltage | workshop | inverter of # overheated | Power is limited: stop and let it cool
P0A7C | - | high_voltage | workshop | power electronics overheated | Power is limited: stop and let it cool
P0A44 P0A4A P0A50 | =drive_motor_A drive_motor_B generator | high_voltage | workshop | overspeed of #
P0A78 P0A79 P0A7A | =drive_motor_A drive_motor_B the_generator * fault | high_voltage | workshop | inverter of # | The vehicle may lose drive
P0A90 P0A91 P0A92 | =drive_motor_A drive_motor_B generator | high_voltage | workshop | # does not do what it should | The vehicle may lose drive
P0A2A..P0A2E P0A30..P0A34 P0A36..P0A3A | =drive_motor_A drive_motor_B the_generator * e p l h i | high_voltage | soon | temperature sensor of #
P0A3F..P0A43 P0A45..P0A49 P0A4B..P0A4F | =drive_motor_A drive_motor_B the_generator * e p l h i | high_voltage | soon | position sensor of # | The vehicle may lose drive
P0A51..P0A54 P0A55..P0A58 P0A59..P0A5C | =drive_motor_A drive_motor_B the_generator * e p l h | high_voltage | soon | current sensor of #
P0A5D..P0A65 P0A66..P0A6E P0A6F..P0A77 | fault | high_voltage | workshop | phase current of a drive motor or generator | The vehicle may lose drive
P0BE5..P0BE8 P0BE9..P0BEC P0BED..P0BF0 | =U V W * e p l h | high_voltage | soon | current sensor of phase #, drive motor A
P0BF1..P0BF4 P0BF5..P0BF8 P0BF9..P0BFC | =U V W * e p l h | high_voltage | soon | current sensor of phase #, drive motor B
P0BFD P0BFE | =A B | high_voltage | workshop | phase currents of drive motor # do not match | The vehicle may lose drive
P0BFF P0C02 | =A B * fault | high_voltage | workshop | current of drive motor # | The vehicle may lose drive
P0C00 P0C03 | =A B | high_voltage | workshop | current of drive motor # too low | The vehicle may lose drive
P0C01 P0C04 | =A B | high_voltage | workshop | current of drive motor # too high | The vehicle may lose drive
P0C05..P0C07 P0C08..P0C0A | =A B * E L H | high_voltage | soon | phases of drive motor # | The vehicle may lose drive
P0C11 P0C12 P0C13 | =U V W | high_voltage | workshop | phase # of the inverter of drive motor A overheated | Power is limited
P0C79 | - | high_voltage | workshop | voltage of the inverter of drive motor A too high | The vehicle may lose drive
P0AED..P0AF1 P0AF2..P0AF6 | =A B * e p l h i | high_voltage | soon | temperature sensor of the inverter of drive motor #
P0A93 | - | high_voltage | workshop | cooling of the inverter does too little | Power is limited: stop and let it cool
P0A00..P0A04 | e p l h i | high_voltage | service | coolant temperature sensor of the power electronics
P0A05..P0A07 | E L H | high_voltage | soon | coolant pump of the power electronics | Power may be limited
P0C73 | - | high_voltage | soon | coolant pump of the power electronics does too little | Power may be limited
P0A17..P0A1A | e p l h | high_voltage | soon | motor torque sensor
P0C2F | fault | high_voltage | soon | engine speed sensor of the motor control unit
P0A0F | - | high_voltage | workshop | the hybrid drive cannot start the engine
P0A14..P0A16 | E L H | engine | note | engine mount control

# 12 V from high voltage, charger
P0A08 P0A09 P0A10 | e l h | high_voltage | soon | status of the DC/DC converter | The 12 V battery may run flat
P0A11..P0A13 | E L H | high_voltage | soon | enabling of the DC/DC converter | The 12 V battery may run flat
P0A94 | - | high_voltage | workshop | DC/DC converter does not do what it should | The 12 V battery runs flat and the vehicle stops
P0A8B P0A8C | fault | high_voltage | soon | 12 V from the DC/DC converter
P0A8D P0A8E | =low high | high_voltage | workshop | 12 V from the DC/DC converter too # | The vehicle may stop
P0D10 | - | high_voltage | soon | negative contactor of charging stuck open | The vehicle may not charge; it can be driven
P0D11..P0D14 | E P L H | high_voltage | soon | negative contactor of charging | The vehicle may not charge; it can be driven
P0D20 P0D22 | =voltage current | high_voltage | soon | on-board charger does not hold its output # | The vehicle may not charge; it can be driven
P0D2B P0D2C | =connection progress | high_voltage | note | charging lamp: #
P0D26 | - | high_voltage | soon | precharge of the on-board charger takes too long | The vehicle does not charge; it can be driven
P0D2A | - | high_voltage | soon | current into the on-board charger too high | The vehicle does not charge; it can be driven
P0D5B | fault | high_voltage | soon | 12 V output of the on-board charger
P0D3A P0D3B | l h | high_voltage | service | input current sensor of the on-board charger | The vehicle may not charge
P0D00..P0D03 | E P L H | high_voltage | service | ventilation switch of charging | The vehicle may not charge
P0A7B P0AC4 | - | high_voltage | soon | a control unit of the hybrid drive reports a fault of its own | Read its codes
`
