// Where the fleets drive: three small road graphs around real cities. Coordinates are of the towns and interchanges; roads between them
// are drawn straight, which is true to a kilometre or two and needs no map data.

export type RoadClass = 'urban' | 'arterial' | 'motorway'
export type Road = readonly [from: string, to: string, roadClass: RoadClass]

export type Region = {
  readonly id: string
  readonly subClient: { readonly id: string; readonly name: string; readonly email: string }
  readonly platePrefix: string
  readonly utcOffsetH: number
  readonly climate: { readonly meanC: number; readonly seasonC: number; readonly dayNightC: number }
  readonly places: Readonly<Record<string, readonly [latitude: number, longitude: number]>>
  readonly roads: readonly Road[]
}

/** Every region has its depot under this name. */
export const DEPOT = 'depot'

const karlsruhe: Region = {
  id: 'karlsruhe',
  subClient: { id: 'rhein-kurier', name: 'Rhein Kurier GmbH', email: 'fleet@rhein-kurier.example' },
  platePrefix: 'KA-RK ',
  utcOffsetH: 1,
  climate: { meanC: 11, seasonC: 9.5, dayNightC: 5 },
  places: {
    depot: [49.0136, 8.335],
    marktplatz: [49.0094, 8.404],
    durlach: [48.9986, 8.473],
    ettlingen: [48.9405, 8.407],
    rastatt: [48.858, 8.204],
    badenBaden: [48.79, 8.19],
    bruchsal: [49.124, 8.598],
    pforzheim: [48.892, 8.695],
    leonberg: [48.8, 9.013],
    stuttgart: [48.783, 9.18],
    heidelberg: [49.4, 8.672],
    mannheim: [49.487, 8.466],
    woerth: [49.052, 8.26],
    landau: [49.198, 8.117],
    bretten: [49.036, 8.706],
  },
  roads: [
    ['depot', 'marktplatz', 'urban'],
    ['depot', 'woerth', 'arterial'],
    ['marktplatz', 'durlach', 'urban'],
    ['marktplatz', 'ettlingen', 'arterial'],
    ['ettlingen', 'durlach', 'motorway'],
    ['durlach', 'bruchsal', 'motorway'],
    ['durlach', 'pforzheim', 'motorway'],
    ['durlach', 'bretten', 'arterial'],
    ['bruchsal', 'bretten', 'arterial'],
    ['bruchsal', 'heidelberg', 'motorway'],
    ['heidelberg', 'mannheim', 'motorway'],
    ['pforzheim', 'leonberg', 'motorway'],
    ['leonberg', 'stuttgart', 'arterial'],
    ['ettlingen', 'rastatt', 'motorway'],
    ['rastatt', 'badenBaden', 'motorway'],
    ['woerth', 'landau', 'motorway'],
  ],
}

const valencia: Region = {
  id: 'valencia',
  subClient: { id: 'costa-logistica', name: 'Costa Logística S.L.', email: 'flota@costa-logistica.example' },
  platePrefix: '',
  utcOffsetH: 1,
  climate: { meanC: 18.5, seasonC: 7.5, dayNightC: 4.5 },
  places: {
    depot: [39.481, -0.443],
    centre: [39.4699, -0.3763],
    port: [39.448, -0.325],
    paterna: [39.503, -0.441],
    torrent: [39.437, -0.465],
    sagunto: [39.68, -0.278],
    castellon: [39.986, -0.051],
    silla: [39.362, -0.411],
    alzira: [39.151, -0.435],
    xativa: [38.989, -0.518],
    sueca: [39.202, -0.311],
    cullera: [39.166, -0.254],
    gandia: [38.968, -0.18],
    chiva: [39.471, -0.718],
    requena: [39.488, -1.1],
    lliria: [39.628, -0.596],
  },
  roads: [
    ['depot', 'centre', 'urban'],
    ['depot', 'paterna', 'arterial'],
    ['depot', 'torrent', 'arterial'],
    ['depot', 'chiva', 'motorway'],
    ['chiva', 'requena', 'motorway'],
    ['centre', 'port', 'urban'],
    ['centre', 'silla', 'motorway'],
    ['silla', 'alzira', 'motorway'],
    ['alzira', 'xativa', 'arterial'],
    ['silla', 'sueca', 'arterial'],
    ['sueca', 'cullera', 'arterial'],
    ['cullera', 'gandia', 'arterial'],
    ['paterna', 'sagunto', 'motorway'],
    ['centre', 'sagunto', 'motorway'],
    ['sagunto', 'castellon', 'motorway'],
    ['paterna', 'lliria', 'arterial'],
  ],
}

const oslo: Region = {
  id: 'oslo',
  subClient: { id: 'nordfrakt', name: 'Nordfrakt AS', email: 'flate@nordfrakt.example' },
  platePrefix: 'EK ',
  utcOffsetH: 1,
  climate: { meanC: 6.5, seasonC: 11.5, dayNightC: 4 },
  places: {
    depot: [59.929, 10.84],
    sentrum: [59.911, 10.752],
    skoyen: [59.922, 10.679],
    sandvika: [59.89, 10.526],
    asker: [59.833, 10.435],
    drammen: [59.744, 10.204],
    honefoss: [60.168, 10.256],
    lorenskog: [59.929, 10.96],
    lillestrom: [59.956, 11.049],
    gardermoen: [60.193, 11.1],
    ryen: [59.895, 10.805],
    kolbotn: [59.812, 10.8],
    ski: [59.719, 10.835],
    moss: [59.434, 10.658],
    nittedal: [60.06, 10.87],
  },
  roads: [
    ['depot', 'sentrum', 'urban'],
    ['depot', 'lorenskog', 'arterial'],
    ['depot', 'ryen', 'urban'],
    ['depot', 'nittedal', 'arterial'],
    ['lorenskog', 'lillestrom', 'arterial'],
    ['lillestrom', 'gardermoen', 'motorway'],
    ['sentrum', 'skoyen', 'urban'],
    ['skoyen', 'sandvika', 'motorway'],
    ['sandvika', 'asker', 'motorway'],
    ['sandvika', 'honefoss', 'arterial'],
    ['asker', 'drammen', 'motorway'],
    ['ryen', 'kolbotn', 'arterial'],
    ['kolbotn', 'ski', 'arterial'],
    ['ski', 'moss', 'motorway'],
  ],
}

export const regions: readonly Region[] = [karlsruhe, valencia, oslo]
