// Apart from what mounts the surfaces: a command that only names the version would load a web server with it.

export const SERVICE_VERSION = '2.0.0'
