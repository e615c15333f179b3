package etcdoperator.simulation.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.TlsSpec;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Notice;
import etcdoperator.kube.fabric.RecentWrites;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.replay.Trace;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One operator's hand on the API server, with the same answers as the real one's. */
public final class FakeKube implements Kube {
    private final FakeApiServer server;
    private final FakeControllers controllers;
    private final RecentWrites recent;
    private final Wire wire;
    private final Witness witness;
    private final FakeSecondLook secondLook;

    public FakeKube(
            FakeApiServer server, FakeControllers controllers, FakeDisks disks, RecentWrites recent, Wire wire) {
        this.server = server;
        this.controllers = controllers;
        this.recent = recent;
        this.wire = wire;
        this.witness = wire.witness();
        this.secondLook = new FakeSecondLook(server, disks);
    }

    @Override
    public void create(HasMetadata object) throws StaleViewException, RefusedException {
        Optional<? extends HasMetadata> present = named(object);
        if (present.isPresent()) {
            if (object instanceof EtcdRestore || object instanceof EtcdCluster) {
                throw new StaleViewException(Objects.describe(object) + " is there already");
            }
            throw taken(object, present.get());
        }
        if (Kube.isMadeOnce(object)) {
            send("create " + Objects.describe(object), () -> {
                if (named(object).isPresent()) {
                    throw new StaleViewException(Objects.describe(object) + " is there already");
                }
                witness.created(object, wire.operator());
                return server.create(object);
            });
        } else {
            apply(object);
        }
    }

    @Override
    public void apply(HasMetadata object) throws StaleViewException, RefusedException {
        send("apply " + Objects.describe(object), () -> {
            Optional<? extends HasMetadata> present = named(object);
            String uid = object.getMetadata().getUid();
            if (uid != null
                    && present.filter(found -> uid.equals(found.getMetadata().getUid()))
                            .isEmpty()) {
                throw new StaleViewException(Objects.describe(object) + " is gone, or another one");
            }
            if (present.isPresent()) {
                return ServerSideApply.merge(server, present.get(), object);
            }
            HasMetadata made = server.create(object);
            witness.made(made, wire.operator());
            return made;
        });
    }

    @Override
    public void replace(Secret secret) throws StaleViewException, RefusedException {
        send("replace " + Objects.describe(secret), () -> {
            Secret current = current(secret);
            return server.change(current, changed -> {
                changed.setMetadata(secret.getMetadata());
                changed.setData(secret.getData());
                return changed;
            });
        });
    }

    @Override
    public void record(EtcdCluster cluster, TlsSpec tls) throws StaleViewException, RefusedException {
        send("tls of " + Objects.describe(cluster), () -> {
            EtcdCluster current = current(cluster);
            return server.change(current, changed -> {
                changed.setSpec(current.getSpec().withTls(tls));
                return changed;
            });
        });
    }

    @Override
    public void replace(EtcdPeer peer) throws StaleViewException, RefusedException {
        send("replace " + Objects.describe(peer), () -> {
            EtcdPeer current = current(peer);
            witness.replaced(current, peer, wire.operator());
            return server.change(current, changed -> {
                changed.setMetadata(peer.getMetadata());
                changed.setSpec(peer.getSpec());
                return changed;
            });
        });
    }

    @Override
    public void annotate(HasMetadata object, Map<String, String> annotations)
            throws StaleViewException, RefusedException {
        send("annotate " + Objects.describe(object) + " " + annotations, () -> {
            HasMetadata current = Kube.isAnnotatedAsSeen(object)
                    ? current(object)
                    : named(object).orElseThrow(() -> gone(object));
            if (!current.getMetadata().getUid().equals(object.getMetadata().getUid())) {
                throw new StaleViewException(Objects.describe(object) + " is another one by now");
            }
            witness.annotated(current, annotations);
            return server.change(current, changed -> {
                changed.getMetadata()
                        .setAnnotations(
                                ServerSideApply.merged(current.getMetadata().getAnnotations(), annotations));
                return changed;
            });
        });
    }

    @Override
    public void mark(PersistentVolumeClaim claim, ClaimMark mark) throws StaleViewException, RefusedException {
        send("mark " + Objects.describe(claim), () -> {
            var before = current(claim).getMetadata();
            Map<String, String> labels = ServerSideApply.merged(before.getLabels(), mark.labels());
            labels.keySet().removeAll(mark.without());
            witness.marked(current(claim), mark, wire.operator());
            return server.change(current(claim), changed -> {
                changed.getMetadata().setLabels(labels);
                changed.getMetadata()
                        .setAnnotations(ServerSideApply.merged(before.getAnnotations(), mark.annotations()));
                if (mark.ownerless()) {
                    changed.getMetadata().setOwnerReferences(List.of());
                }
                return changed;
            });
        });
    }

    @Override
    public void label(HasMetadata object, Map<String, String> labels) throws StaleViewException, RefusedException {
        send("label " + Objects.describe(object) + " " + labels, () -> {
            HasMetadata current = named(object).orElseThrow(() -> gone(object));
            if (!current.getMetadata().getUid().equals(object.getMetadata().getUid())) {
                throw new StaleViewException(Objects.describe(object) + " is another one by now");
            }
            return server.change(current, changed -> {
                changed.getMetadata()
                        .setLabels(ServerSideApply.merged(current.getMetadata().getLabels(), labels));
                return changed;
            });
        });
    }

    @Override
    public void resize(PersistentVolumeClaim claim, Quantity storage) throws StaleViewException, RefusedException {
        send("resize " + Objects.describe(claim), () -> {
            HasMetadata current = named(claim).orElseThrow(() -> gone(claim));
            if (!current.getMetadata().getUid().equals(claim.getMetadata().getUid())) {
                throw new StaleViewException(Objects.describe(claim) + " is another one by now");
            }
            return server.change((PersistentVolumeClaim) current, changed -> {
                changed.setSpec(new PersistentVolumeClaimSpecBuilder(changed.getSpec())
                        .editOrNewResources()
                        .addToRequests("storage", storage)
                        .endResources()
                        .build());
                return changed;
            });
        });
    }

    @Override
    public void delete(HasMetadata object) throws StaleViewException, RefusedException {
        wire.send("delete " + Objects.describe(object), () -> {
            HasMetadata current = current(object);
            witness.deleted(current, wire.operator());
            controllers.delete(current);
            return current;
        });
        recent.forget(object);
    }

    @Override
    public EtcdCluster replaceStatus(EtcdCluster cluster) throws StaleViewException, RefusedException {
        return send("status of " + Objects.describe(cluster) + Trace.summary(cluster.getStatus()), () -> {
            EtcdCluster current = current(cluster);
            witness.reported(current, cluster.getStatus(), wire.operator());
            return server.change(current, changed -> {
                changed.setStatus(cluster.getStatus());
                return changed;
            });
        });
    }

    @Override
    public void replaceStatus(EtcdPeer peer) throws StaleViewException, RefusedException {
        send("status of " + Objects.describe(peer), () -> {
            EtcdPeer current = current(peer);
            return server.change(current, changed -> {
                changed.setStatus(peer.getStatus());
                return changed;
            });
        });
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends CustomResource<?, ?>> T replaceStatus(T object) throws StaleViewException, RefusedException {
        return send("status of " + Objects.describe(object) + Trace.summary(object), () -> {
            witness.reported(current(object), object, wire.operator());
            return server.change(current(object), changed -> {
                ((CustomResource<?, Object>) changed).setStatus(object.getStatus());
                return changed;
            });
        });
    }

    @Override
    public void bind(HasMetadata object, List<String> finalizers, List<OwnerReference> owners)
            throws StaleViewException, RefusedException {
        send(
                "bind " + Objects.describe(object),
                () -> server.change(current(object), changed -> {
                    changed.getMetadata().setFinalizers(finalizers);
                    changed.getMetadata().setOwnerReferences(owners);
                    return changed;
                }));
    }

    @Override
    public void requireAsSeen(ClusterObjects seen) throws StaleViewException {
        var fault = wire.ask("look again at " + Objects.describe(seen.cluster()));
        secondLook.requireAsSeen(seen);
        witness.judged();
        wire.answer(fault);
    }

    @Override
    public void tell(HasMetadata about, Notice notice) {}

    private <T extends HasMetadata> T send(String what, Wire.Call<T> call) throws StaleViewException, RefusedException {
        T stored = wire.send(what, call);
        recent.remember(stored);
        return stored;
    }

    private Optional<? extends HasMetadata> named(HasMetadata object) {
        return server.get(object.getClass(), object.getMetadata().getName());
    }

    /** The object that a replacement was made from, if nobody has changed it since. */
    private <T extends HasMetadata> T current(T read) throws StaleViewException {
        @SuppressWarnings("unchecked")
        T current = (T) named(read).orElseThrow(() -> gone(read));
        if (!current.getMetadata()
                .getResourceVersion()
                .equals(read.getMetadata().getResourceVersion())) {
            throw new StaleViewException(Objects.describe(read) + " has been changed");
        }
        return current;
    }

    private static StaleViewException gone(HasMetadata object) {
        return new StaleViewException(Objects.describe(object) + " is gone");
    }

    private static RefusedException taken(HasMetadata wanted, HasMetadata present) throws StaleViewException {
        String label = wanted.getMetadata().getLabels().containsKey(Labels.CLUSTER) ? Labels.CLUSTER : Labels.RESTORE;
        String owner = wanted.getMetadata().getLabels().getOrDefault(label, "");
        if (owner.equals(present.getMetadata().getLabels().get(label))) {
            throw new StaleViewException(Objects.describe(wanted) + " is there already");
        }
        return new RefusedException(Objects.describe(wanted) + " exists, but is not this cluster's");
    }
}
