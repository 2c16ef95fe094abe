// Restraints, body electrics, air conditioning, cruise control. Columns and fault letters: code-table.ts. Numbers: B0 codes of SAE J2012
// as Land Rover uses them (three-byte codes, jakka351/GenericDiagnosticTool); P codes as listed in fabiovila/OBDIICodes (24.h).
export const bodyCodes = `
# restraints
B0001..B0003 | =1 2 3 * fault | body | workshop | driver's front airbag, stage # | It may not protect in a crash
B0004 B0005 | =knee_airbag steering_column * fault | body | workshop | driver's restraint: # | It may not protect in a crash
B0010..B0013 | =front_airbag,_stage_1 front_airbag,_stage_2 front_airbag,_stage_3 knee_airbag * fault | body | workshop | passenger's restraint: # | It may not protect in a crash
B0020..B0022 B0028..B0029 B002A | fault | body | workshop | side or curtain airbag | It may not protect in a crash
B0050..B0054 | fault | body | soon | seat belt sensor
B0060..B0064 | fault | body | soon | seat belt tension sensor
B0070..B0077 | fault | body | workshop | seat belt pretensioner | It may not protect in a crash
B0080 B0082 | =driver's passenger's * fault | body | workshop | # belt force limiter | It may not protect in a crash
B0090..B0093 B0095..B0098 | fault | body | workshop | crash sensor | Airbags may not deploy
B00A0 B00C0 B00C1 | fault | body | workshop | occupant detection | The passenger's airbag may not deploy
B00B5 B00B6 B00C5 B00C6 | fault | body | soon | seat position sensor of the restraints
B00D1 B00D2 B00D5 B00DF | fault | body | soon | lamp or switch of the restraints

# comfort
P0530..P0533 P2515..P2518 | =A B * e p l h | body | note | refrigerant pressure sensor #
P0534 | - | body | service | air conditioning has lost refrigerant
P0535..P0539 | e p l h i | body | note | evaporator temperature sensor
P0645..P0647 | E L H | body | note | air conditioning clutch
P06A0..P06A2 | E L H | body | note | air conditioning compressor
P0564 P0575..P0577 | e e l h | body | note | cruise control input
P0565..P0570 | =on off resume set coast accelerate | body | note | cruise control switch: #
P056A P056B | =farther nearer | body | note | cruise control distance switch: #
P0574 | - | body | note | cruise control: vehicle too fast
P0578..P0581 | fault | body | note | cruise control switch
P0585 P0589..P0593 | fault | body | note | cruise control switch
P0582..P0584 P0586..P0588 | fault | body | note | vacuum of the cruise control
P0525 P0594..P0596 | P E L H | body | note | cruise control servo
P0648 P0649 | =immobiliser cruise_control * fault | body | note | # lamp
P0644 | e | body | note | driver display
`
