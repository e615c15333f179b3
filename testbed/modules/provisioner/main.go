// Makes volumes that are folders of the machine.
//
// The controller-manager has a provisioner of the same kind, but its folders belong to root with
// mode 0750, and Kubernetes does not apply fsGroup to a hostPath: an etcd that is not root could
// not write there.
package main

import (
	"context"
	"flag"
	"log"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// What failed is tried again at the next resync: a test bed needs no queue of its own.
const resync = 10 * time.Second

func main() {
	kubeconfig := flag.String("kubeconfig", "", "how to reach the API server")
	root := flag.String("root", "", "the folder that holds all volumes")
	flag.Parse()

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	config.QPS, config.Burst = 100, 200
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	factory := informers.NewSharedInformerFactory(client, resync)
	classes := factory.Storage().V1().StorageClasses()
	classes.Informer()
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done()) // a claim cannot be judged before its class is known

	folders := folders{root: *root, client: client, classes: classes.Lister()}
	onChange(factory.Core().V1().PersistentVolumeClaims().Informer(), func(claim *corev1.PersistentVolumeClaim) error {
		return folders.provision(ctx, claim)
	})
	onChange(factory.Core().V1().PersistentVolumes().Informer(), func(volume *corev1.PersistentVolume) error {
		return folders.reclaim(ctx, volume)
	})
	factory.Start(ctx.Done())
	<-ctx.Done()
}

func onChange[T any](informer cache.SharedIndexInformer, handle func(T) error) {
	call := func(object any) {
		if err := handle(object.(T)); err != nil {
			log.Print(err)
		}
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    call,
		UpdateFunc: func(_, object any) { call(object) },
	})
	if err != nil {
		log.Fatal(err)
	}
}
