package etcdoperator.simulation.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Notice;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Writes down what the operator does, lets it die at any write, and refuses what a test wants refused. */
public final class WrittenDown extends SpoiledKube {
    private final Consumer<HasMetadata> afterBind;
    private final List<String> writes = new ArrayList<>();
    private final List<Notice> told = new ArrayList<>();
    private final Map<String, String> refusals = new HashMap<>();
    private boolean namespaceEnds;
    private int untilDeath = Integer.MAX_VALUE;
    private boolean afterWriting;

    /** The operator's process is gone. */
    public static final class Death extends RuntimeException {}

    public WrittenDown(Kube honest, Consumer<HasMetadata> afterBind) {
        super(honest);
        this.afterBind = afterBind;
    }

    /** @param after or before it is carried out */
    public void dieAtWrite(int number, boolean after) {
        untilDeath = number;
        afterWriting = after;
    }

    /** Nothing can be made any more. */
    public void endNamespace() {
        namespaceEnds = true;
    }

    /** @param what the verb, or the verb and the kind, such as {@code create EtcdBackup} */
    public void refuse(String what, String why) {
        refusals.put(what, why);
    }

    public void allow(String what) {
        refusals.remove(what);
    }

    /** Each as {@code VERB KIND NAME}. */
    public List<String> writes() {
        return writes;
    }

    public List<Notice> told() {
        return told;
    }

    @Override
    public void create(HasMetadata object) throws StaleViewException, RefusedException {
        if (namespaceEnds) {
            throw new NamespaceEndsException("the namespace is being terminated");
        }
        write("create", object, () -> super.create(object));
    }

    @Override
    public void apply(HasMetadata object) throws StaleViewException, RefusedException {
        write("apply", object, () -> super.apply(object));
    }

    @Override
    public void replace(EtcdPeer peer) throws StaleViewException, RefusedException {
        write("replace", peer, () -> super.replace(peer));
    }

    @Override
    public void annotate(HasMetadata object, Map<String, String> annotations)
            throws StaleViewException, RefusedException {
        write("annotate", object, () -> super.annotate(object, annotations));
    }

    @Override
    public void mark(PersistentVolumeClaim claim, ClaimMark mark) throws StaleViewException, RefusedException {
        write("mark", claim, () -> super.mark(claim, mark));
    }

    @Override
    public void delete(HasMetadata object) throws StaleViewException, RefusedException {
        write("delete", object, () -> super.delete(object));
    }

    @Override
    public EtcdCluster replaceStatus(EtcdCluster cluster) throws StaleViewException, RefusedException {
        write("status", cluster, () -> super.replaceStatus(cluster));
        return cluster;
    }

    @Override
    public <T extends CustomResource<?, ?>> T replaceStatus(T object) throws StaleViewException, RefusedException {
        write("status", object, () -> super.replaceStatus(object));
        return object;
    }

    @Override
    public void bind(HasMetadata object, List<String> finalizers, List<OwnerReference> owners)
            throws StaleViewException, RefusedException {
        write("bind", object, () -> {
            super.bind(object, finalizers, owners);
            afterBind.accept(object);
        });
    }

    @Override
    public void tell(HasMetadata about, Notice notice) {
        told.add(notice);
    }

    private interface Write {
        void run() throws StaleViewException, RefusedException;
    }

    private void write(String verb, HasMetadata object, Write write) throws StaleViewException, RefusedException {
        Optional<String> refusal = Optional.ofNullable(refusals.get(verb))
                .or(() -> Optional.ofNullable(refusals.get(verb + " " + object.getKind())));
        if (refusal.isPresent()) {
            throw new RefusedException(refusal.get());
        }
        boolean last = --untilDeath == 0;
        if (last && !afterWriting) {
            throw new Death();
        }
        write.run();
        writes.add(verb + " " + Objects.describe(object));
        if (last) {
            throw new Death();
        }
    }
}
