{{- define "etcd-operator.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "etcd-operator.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "etcd-operator.labels" -}}
{{ include "etcd-operator.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/component: operator
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "etcd-operator.serviceAccountName" -}}
{{- default (include "etcd-operator.fullname" .) .Values.serviceAccount.name -}}
{{- end -}}

{{- /* The namespaces to watch, separated by commas; none means all. */ -}}
{{- define "etcd-operator.watchNamespaces" -}}
{{- $namespaces := list -}}
{{- range .Values.watchNamespaces -}}
{{- $namespaces = append $namespaces (eq . "." | ternary $.Release.Namespace .) -}}
{{- end -}}
{{- $namespaces | uniq | join "," -}}
{{- end -}}

{{- define "etcd-operator.subject" -}}
- kind: ServiceAccount
  name: {{ include "etcd-operator.serviceAccountName" . }}
  namespace: {{ .Release.Namespace }}
{{- end -}}

{{- /* What the operator does in a namespace that it watches. */ -}}
{{- define "etcd-operator.rules" -}}
- apiGroups: [etcd.improbable.io]
  resources: [etcdclusters]
  verbs: [list, watch, create, patch]
- apiGroups: [etcd.improbable.io]
  resources: [etcdpeers]
  verbs: [get, list, watch, create, update, delete]
- apiGroups: [etcd.improbable.io]
  resources: [etcdbackups]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [etcd.improbable.io]
  resources: [etcdbackupschedules]
  verbs: [list, watch]
- apiGroups: [etcd.improbable.io]
  resources: [etcdrestores]
  verbs: [list, watch, create, patch, delete]
- apiGroups: [etcd.improbable.io]
  resources: [etcdclusters/status, etcdpeers/status, etcdbackups/status, etcdbackupschedules/status, etcdrestores/status]
  verbs: [update]
- apiGroups: [batch]
  resources: [jobs]
  verbs: [get, list, watch, create, delete]
- apiGroups: [""]
  resources: [pods]
  verbs: [list, watch, patch, delete]
- apiGroups: [""]
  resources: [services]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [""]
  resources: [persistentvolumeclaims]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [""]
  resources: [secrets]
  verbs: [get, list, watch, create, update]
- apiGroups: [cert-manager.io]
  resources: [certificates]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [apps]
  resources: [replicasets]
  verbs: [list, watch, create, patch]
- apiGroups: [policy]
  resources: [poddisruptionbudgets]
  verbs: [get, list, watch, create, patch]
- apiGroups: [networking.k8s.io]
  resources: [networkpolicies]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [""]
  resources: [events]
  verbs: [list, watch, create, patch]
{{- end -}}
