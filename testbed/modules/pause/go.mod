module etcd-operator/testbed/pause

go 1.26.0
