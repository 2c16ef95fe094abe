// Brakes, stability control, steering, suspension, tyres. Columns and fault letters: code-table.ts. Numbers: the C0 codes that SAE J2012
// and Land Rover (three-byte codes, jakka351/GenericDiagnosticTool) agree on, and those of General Motors. Editions of J2012 and makers
// differ in which wheel a number means, so wheel positions are left out on purpose.
export const chassisCodes = `
# wheel speed and stability
C0030..C003B | fault | brakes | soon | wheel speed sensor, its supply or its ring | ABS and stability control may be off; the brakes work
C0040 C0041 | fault | brakes | soon | brake pedal switch or wheel speed sensor | ABS and stability control may be off; the brakes work
C0045 C0046 | fault | brakes | soon | brake pressure sensor or wheel speed sensor | ABS and stability control may be off; the brakes work
C0050 | fault | brakes | soon | wheel speed sensor | ABS and stability control may be off; the brakes work
C0300 | fault | brakes | soon | speed sensor of the rear axle | ABS and stability control may be off; the brakes work
C0060 C0065 C0070 C0075 C0080 C0085 C0090 C0095 | fault | brakes | soon | ABS valve | ABS may be off; the brakes work
C0010 C0011 C0014 C0015 C0018 C0019 C001C C001D | - | brakes | workshop | valve of the brake control does not do what it should | ABS is off and brake force may be unequal: leave distance
C0001..C0004 | fault | brakes | soon | valve of traction control
C0061..C0064 | =lateral_acceleration longitudinal_acceleration yaw_rate roll_rate * fault | brakes | soon | # sensor | Stability control may be off; the brakes work
C006A | fault | brakes | soon | combined acceleration sensor | Stability control may be off; the brakes work
C0186 C0196 | =lateral_acceleration yaw_rate * fault | brakes | soon | # sensor | Stability control may be off; the brakes work
C006B | - | brakes | soon | stability control active for too long
C0242 C0245 | fault | brakes | service | traction control
C0081..C0084 | fault | brakes | service | warning lamp of the brakes or of stability control | A fault may not be seen
C0089 | fault | brakes | note | traction control switch

# braking
C0020 C0110 C0267 | - | brakes | workshop | ABS pump does not run | ABS and stability control are off, with brake by wire also the assistance: leave distance
C0121 C0265 | fault | brakes | workshop | relay of the ABS unit | ABS and stability control are off: leave distance
C0021 | - | brakes | workshop | brake booster does not do what it should | The pedal needs much more force
C0022 | E | brakes | soon | brake booster | The pedal may need much more force
C0131 C0161 | =pressure switch * fault | brakes | soon | ABS: brake #
C0128 C0049 | - | brakes | stop | brake fluid too low | Brakes may fail: check fluid and look for a leak before moving
C0042..C0044 C0047 | =pedal_position_A pedal_position_B pressure_A booster_pressure * fault | brakes | soon | brake sensor: #
C004A | - | brakes | soon | brake pads worn or their sensor faulty | Have the pads measured
C0072 | - | brakes | workshop | brakes too hot | Brakes that drag get hot and can catch fire
P0504 | X | brakes | soon | brake switches A and B | Brake lamps may not light
P0571..P0573 | e l h | brakes | service | brake switch A | Brake lamps may not light
P050F | - | brakes | workshop | too little vacuum for the brake booster | The pedal needs much more force
P0555..P0559 | e p l h i | brakes | soon | pressure sensor of the brake booster
C0550 | - | brakes | workshop | control unit of the brakes: internal fault | ABS and stability control are off: leave distance
C0561 | - | brakes | soon | brake control has switched a function off

# steering, suspension, tyres
C0051 | fault | chassis | soon | steering angle sensor | Stability control may be off
C0079 | fault | chassis | soon | speed-dependent steering assistance | Steering may be heavy
P0635..P0637 | E L H | chassis | soon | power steering | Steering may be heavy
P0550..P0554 | e p l h i | chassis | service | power steering pressure sensor
C0077 | - | chassis | soon | tyre pressure too low | Check the tyres before driving on
C0078 | fault | chassis | service | tyre size
C0710 | fault | chassis | soon | steering angle signal
C0750 C0755 C0760 C0765 | fault | chassis | service | tyre pressure sensor
`
