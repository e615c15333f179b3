package main

import (
	"context"
	"log"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	storagelisters "k8s.io/client-go/listers/storage/v1"
)

const (
	provisioner = "testbed.etcd.improbable.io/folder"

	askedOf       = "volume.kubernetes.io/storage-provisioner"
	selectedNode  = "volume.kubernetes.io/selected-node"
	provisionedBy = "pv.kubernetes.io/provisioned-by"
)

type folders struct {
	root    string
	client  kubernetes.Interface
	classes storagelisters.StorageClassLister
}

// provision does what a claim asks for, once; the volume's name derives from the claim, so that
// doing it twice is harmless.
func (f folders) provision(ctx context.Context, claim *corev1.PersistentVolumeClaim) error {
	if claim.Annotations[askedOf] != provisioner || claim.Spec.VolumeName != "" || claim.DeletionTimestamp != nil {
		return nil
	}
	class, err := f.classes.Get(*claim.Spec.StorageClassName)
	if err != nil {
		return err
	}
	node := claim.Annotations[selectedNode]
	if *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer && node == "" {
		return nil
	}
	volume := volumeFor(claim, class)
	folder := filepath.Join(f.root, volume.Name)
	if class.Parameters["tiedToNode"] == "true" {
		tieToNode(volume, folder, node)
	} else {
		volume.Spec.HostPath = &corev1.HostPathVolumeSource{Path: folder}
	}
	if err := openFolder(folder); err != nil {
		return err
	}
	_, err = f.client.CoreV1().PersistentVolumes().Create(ctx, volume, metav1.CreateOptions{})
	if errors.IsAlreadyExists(err) {
		return nil
	}
	log.Printf("claim %s/%s: %s %v", claim.Namespace, claim.Name, folder, err)
	return err
}

// reclaim deletes a volume and its data once its claim is gone, unless it is to be kept.
func (f folders) reclaim(ctx context.Context, volume *corev1.PersistentVolume) error {
	if volume.Annotations[provisionedBy] != provisioner || volume.Status.Phase != corev1.VolumeReleased ||
		volume.Spec.PersistentVolumeReclaimPolicy != corev1.PersistentVolumeReclaimDelete {
		return nil
	}
	if err := os.RemoveAll(filepath.Join(f.root, volume.Name)); err != nil {
		return err
	}
	log.Printf("volume %s: deleted", volume.Name)
	err := f.client.CoreV1().PersistentVolumes().Delete(ctx, volume.Name, metav1.DeleteOptions{})
	if errors.IsNotFound(err) {
		return nil
	}
	return err
}

func volumeFor(claim *corev1.PersistentVolumeClaim, class *storagev1.StorageClass) *corev1.PersistentVolume {
	return &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{
			Name:        "pvc-" + string(claim.UID),
			Annotations: map[string]string{provisionedBy: provisioner},
		},
		Spec: corev1.PersistentVolumeSpec{
			StorageClassName:              class.Name,
			PersistentVolumeReclaimPolicy: *class.ReclaimPolicy,
			AccessModes:                   claim.Spec.AccessModes,
			VolumeMode:                    claim.Spec.VolumeMode,
			Capacity: corev1.ResourceList{
				corev1.ResourceStorage: claim.Spec.Resources.Requests[corev1.ResourceStorage],
			},
			ClaimRef: &corev1.ObjectReference{
				APIVersion: "v1", Kind: "PersistentVolumeClaim",
				Namespace: claim.Namespace, Name: claim.Name, UID: claim.UID,
			},
		},
	}
}

// All nodes share one file system, so only the affinity keeps the volume on its node, where a
// local disk would be.
func tieToNode(volume *corev1.PersistentVolume, folder, node string) {
	volume.Spec.Local = &corev1.LocalVolumeSource{Path: folder}
	volume.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchExpressions: []corev1.NodeSelectorRequirement{{
				Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: []string{node},
			}},
		}},
	}}
}

// openFolder makes a folder that any user may write to, whatever the umask.
func openFolder(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	return os.Chmod(folder, 0o777)
}
