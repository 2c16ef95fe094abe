{{/* What the pods of all roles have in common: who they run as, and where. (dict "root" $ "role" "api") */}}
{{- define "roadworthy.pod" -}}
serviceAccountName: {{ include "roadworthy.name" .root }}{{ if eq .role "engine" }}-engine{{ end }}
# Nothing here calls Kubernetes.
automountServiceAccountToken: false
# Otherwise a Service named "mqtt" sets MQTT_PORT.
enableServiceLinks: false
# What is served on, and the 10 s in which a process ends, with a reserve.
terminationGracePeriodSeconds: {{ add .root.Values.shutdownDelayS 15 }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "roadworthy.selector" . | nindent 8 }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "roadworthy.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* /livez asks nothing of others; /readyz is 503 while what the process needs is away, or the process stops. (dict "port" "http" "ready" "/readyz" "startupS" 600) */}}
{{- define "roadworthy.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: {{ .port }} }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: {{ div .startupS 5 }}
livenessProbe:
  httpGet: { path: /livez, port: {{ .port }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  httpGet: { path: {{ .ready | quote }}, port: {{ .port }} }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2
{{- end }}

{{/* Each setting as a variable. A map of strings. */}}
{{- define "roadworthy.settings" -}}
{{- range $name, $value := . }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* <NAME>_FILE for each secret setting, and below the volume that has the files. (name and keys, as in values.yaml) */}}
{{- define "roadworthy.secretSettings" -}}
{{- range $name, $key := .keys }}
- { name: {{ $name }}_FILE, value: {{ printf "/run/secrets/roadworthy/%s" $name }} }
{{- end }}
{{- end }}

{{- define "roadworthy.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ .name | quote }}
    # 0440, which YAML 1.2 reads as a decimal number.
    defaultMode: 288
    items:
      {{- range $name, $key := .keys }}
      - { key: {{ $key | quote }}, path: {{ $name }} }
      {{- end }}
{{- end }}
