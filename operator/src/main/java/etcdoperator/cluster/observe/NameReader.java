package etcdoperator.cluster.observe;

import etcdoperator.api.AuthSpec;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.PodTemplate;
import etcdoperator.api.TlsSpec;
import etcdoperator.api.TlsSpec.CertManagerCertificates;
import etcdoperator.api.TlsSpec.SecretCertificates;
import etcdoperator.api.backup.BackupDestination;
import etcdoperator.api.backup.BucketLocation.Credentials;
import etcdoperator.api.backup.ClusterBackupSpec;
import etcdoperator.api.rules.Names;
import io.fabric8.kubernetes.api.model.ConfigMapKeySelector;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The names of other objects in a spec, and which of them no object can have. Pure. */
final class NameReader {
    private NameReader() {}

    private record Named(String field, @Nullable String name) {}

    /** The first in the order of the fields. */
    static Optional<String> mistake(EtcdClusterSpec spec) {
        return names(spec)
                .filter(named -> named.name() != null && !named.name().isEmpty() && !Names.isOfObject(named.name()))
                .findFirst()
                .map(named ->
                        "%s names \"%s\", and %s. The cluster is kept as it is; correct the name, which cannot be written again"
                                .formatted(
                                        named.field(), shortened(String.valueOf(named.name())), Names.OBJECT_MESSAGE));
    }

    private static String shortened(String name) {
        return name.length() > Names.LONGEST_OBJECT ? name.substring(0, 40) + "…" : name;
    }

    private static Stream<Named> names(EtcdClusterSpec spec) {
        return Stream.of(
                        Stream.ofNullable(spec.tls()).flatMap(NameReader::ofTls),
                        Stream.ofNullable(spec.auth()).flatMap(NameReader::ofAuth),
                        Stream.ofNullable(spec.backup()).flatMap(NameReader::ofBackup),
                        Stream.ofNullable(spec.podTemplate()).flatMap(NameReader::ofPods),
                        ofClaim(spec.storage().volumeClaimTemplate()))
                .flatMap(names -> names);
    }

    private static Stream<Named> ofTls(TlsSpec tls) {
        return Stream.of(
                        Stream.ofNullable(tls.client())
                                .flatMap(client -> ofSource("client", client.secret(), client.certManager())),
                        Stream.ofNullable(tls.peer())
                                .flatMap(peer -> ofSource("peer", peer.secret(), peer.certManager())))
                .flatMap(names -> names);
    }

    private static Stream<Named> ofSource(
            String side, @Nullable SecretCertificates secret, @Nullable CertManagerCertificates ordered) {
        String field = "spec.tls." + side;
        return Stream.concat(
                Stream.ofNullable(secret)
                        .flatMap(found -> Stream.of(
                                new Named(field + ".secret.name", found.name()),
                                new Named(field + ".secret.clientName", found.clientName()))),
                Optional.ofNullable(ordered).stream()
                        .map(CertManagerCertificates::issuerRef)
                        .flatMap(issuer -> Stream.of(
                                new Named(field + ".certManager.issuerRef.name", issuer.name()),
                                new Named(field + ".certManager.issuerRef.group", issuer.group()))));
    }

    private static Stream<Named> ofAuth(AuthSpec auth) {
        return Stream.concat(
                Stream.of(named("spec.auth.rootSecret.name", auth.rootSecret(), LocalObjectReference::getName)),
                auth.users().stream()
                        .map(user -> named(
                                "spec.auth.users, for user " + user.name() + ",",
                                user.passwordSecret(),
                                LocalObjectReference::getName)));
    }

    private static Stream<Named> ofBackup(ClusterBackupSpec backup) {
        Optional<Credentials> login = Optional.of(backup.destination())
                .map(BackupDestination::bucket)
                .flatMap(bucket -> Optional.ofNullable(bucket.credentials()));
        String field = "spec.backup.destination.bucket.credentials.";
        return Stream.of(
                        Stream.of(
                                new Named("spec.backup.serviceAccountName", backup.serviceAccountName()),
                                named(
                                        "spec.backup.destination.volume.claimName",
                                        backup.destination().volume(),
                                        volume -> volume.claimName()),
                                named(
                                        "spec.backup.encryption.keySecretRef.name",
                                        backup.encryption(),
                                        encryption -> encryption.keySecretRef().getName())),
                        login.map(Credentials::aws).stream()
                                .map(aws -> new Named(
                                        field + "aws.secretRef.name",
                                        aws.secretRef().getName())),
                        login.map(Credentials::azure).stream()
                                .map(azure -> new Named(
                                        field + "azure.secretRef.name",
                                        azure.secretRef().getName())),
                        login.map(Credentials::googleCloud).stream()
                                .map(google -> new Named(
                                        field + "googleCloud.secretKeyRef.name",
                                        google.secretKeyRef().getName())))
                .flatMap(names -> names);
    }

    private static Stream<Named> ofPods(PodTemplate pods) {
        return Stream.of(
                        Stream.of(new Named("spec.podTemplate.priorityClassName", pods.priorityClassName())),
                        pods.imagePullSecrets().stream()
                                .map(secret -> new Named("spec.podTemplate.imagePullSecrets", secret.getName())),
                        pods.env().stream().flatMap(NameReader::ofVariable))
                .flatMap(names -> names);
    }

    private static Stream<Named> ofVariable(EnvVar variable) {
        String field = "spec.podTemplate.env, for " + variable.getName() + ",";
        Optional<EnvVarSource> source = Optional.ofNullable(variable.getValueFrom());
        return Stream.of(
                named(field, source.map(EnvVarSource::getSecretKeyRef).orElse(null), SecretKeySelector::getName),
                named(field, source.map(EnvVarSource::getConfigMapKeyRef).orElse(null), ConfigMapKeySelector::getName));
    }

    private static Stream<Named> ofClaim(PersistentVolumeClaimSpec claim) {
        String field = "spec.storage.volumeClaimTemplate.";
        return Stream.of(
                new Named(field + "storageClassName", claim.getStorageClassName()),
                new Named(field + "volumeAttributesClassName", claim.getVolumeAttributesClassName()));
    }

    private static <T> Named named(String field, @Nullable T reference, Function<T, @Nullable String> name) {
        return new Named(field, reference == null ? null : name.apply(reference));
    }
}
