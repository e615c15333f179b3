// cert-manager's controllers for certificates, with the issuers that need nobody else: selfSigned and
// ca. Its own programs are in a module that is not published, and link the clients of many clouds.
//
// Neither its webhook, which only judges what people write, nor cainjector, which serves the webhook.
package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/cert-manager/cert-manager/pkg/controller"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/approver"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/ca"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	_ "github.com/cert-manager/cert-manager/pkg/controller/clusterissuers"
	_ "github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/ca"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned"
	"k8s.io/klog/v2"
)

const workers = 5

func main() {
	kubeconfig := flag.String("kubeconfig", "", "whose API server to serve")
	namespace := flag.String("cluster-resource-namespace", "cert-manager", "where ClusterIssuers have their Secrets")
	klog.InitFlags(nil)
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *kubeconfig, *namespace); err != nil {
		klog.ErrorS(err, "cert-manager ends")
		klog.Flush()
		os.Exit(1)
	}
}

// Ends when told to, or with the first controller that fails.
func run(told context.Context, kubeconfig, namespace string) error {
	ctx, stop := context.WithCancelCause(told)
	defer stop(nil)
	factory, err := controller.NewContextFactory(ctx, options(kubeconfig, namespace))
	if err != nil {
		return err
	}
	shared, err := factory.Build("controller")
	if err != nil {
		return err
	}
	var running sync.WaitGroup
	for name, create := range controller.Known() {
		one, err := create(factory)
		if err != nil {
			return err
		}
		klog.InfoS("starting", "controller", name)
		running.Go(func() {
			if err := one.Run(workers, ctx); err != nil {
				stop(err)
			}
		})
	}
	// after all of them were made: only what was asked for by then is watched
	shared.SharedInformerFactory.Start(ctx.Done())
	shared.KubeSharedInformerFactory.Start(ctx.Done())
	running.Wait()
	if told.Err() != nil {
		return nil
	}
	return context.Cause(ctx)
}

// As the release has them by default.
func options(kubeconfig, namespace string) controller.ContextOptions {
	return controller.ContextOptions{
		Kubeconfig:         kubeconfig,
		KubernetesAPIQPS:   20,
		KubernetesAPIBurst: 50,
		IssuerOptions:      controller.IssuerOptions{ClusterResourceNamespace: namespace},
		CertificateOptions: controller.CertificateOptions{
			CopiedAnnotationPrefixes:                 []string{"*", "-kubectl.kubernetes.io/", "-fluxcd.io/", "-argocd.argoproj.io/"},
			CertificateRequestMinimumBackoffDuration: time.Hour,
			CertificateRequestMaximumBackoffDuration: 32 * time.Hour,
		},
	}
}
