{{/* What every name begins with. The longest end, "-receivers-…", leaves room within 63 characters. */}}
{{- define "roadworthy.name" -}}
{{- $name := .Release.Name }}
{{- if not (contains .Chart.Name $name) }}{{ $name = printf "%s-%s" $name .Chart.Name }}{{ end }}
{{- $name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{/* What selects the pods of a role. Never changed: selectors cannot be. (dict "root" $ "role" "api") */}}
{{- define "roadworthy.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "roadworthy.labels" -}}
{{ include "roadworthy.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{/* (dict "root" $ "name" "roadworthy-engine") */}}
{{- define "roadworthy.image" -}}
{{- with .root.Values.image }}
{{- if .registry }}{{ .registry }}/{{ end }}{{ $.name }}:{{ .tag | default $.root.Chart.AppVersion }}
{{- end }}
{{- end }}

{{/* Not empty where the platform joins an external broker. The broker keeps messages under the name of a receiver, so that receivers need names that stay. */}}
{{- define "roadworthy.hasExternalBroker" -}}
{{- if hasKey .Values.settings "MQTT_BROKER_URL" }}yes{{ end }}
{{- end }}

{{/* `from` or `to` of a rule. Without peers it is for everybody. (dict "side" "from" "peers" list) */}}
{{- define "roadworthy.peers" -}}
{{- if .peers -}}
{{ .side }}: {{- toYaml .peers | nindent 2 }}
{{- else -}}
{{ .side }}: []
{{- end }}
{{- end }}
