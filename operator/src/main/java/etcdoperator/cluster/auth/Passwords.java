package etcdoperator.cluster.auth;

import etcdoperator.api.AuthSpec;
import etcdoperator.api.EtcdCluster;
import etcdoperator.cluster.auth.AccountPlan.Wanted;
import etcdoperator.cluster.step.Chore;
import etcdoperator.domain.ClusterKey;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Credentials;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.PasswordSecrets;
import etcdoperator.manifest.TlsSecrets;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What passwords there are for a cluster's users, and which are missing. Pure; it says no password to whoever prints it. */
public final class Passwords {
    private final ClusterObjects objects;
    private final ClusterKey key;
    private final Optional<AuthSpec> spec;

    public Passwords(ClusterObjects objects) {
        EtcdCluster cluster = objects.cluster();
        this.objects = objects;
        this.key = Labels.keyOf(cluster);
        this.spec = Optional.ofNullable(cluster.getSpec().auth());
    }

    /**
     * Who the operator says it is, when a member asks: itself, or else root, which it needs to be until it has made its
     * own user, and where that was taken from it. Without a password, only its certificate can be of help.
     */
    public Optional<Credentials> credentials(URI door) {
        Optional<Credentials> root =
                rootPassword().map(text -> new Credentials(Accounts.ROOT, text, Optional.of(door)));
        return operatorPassword()
                .map(text -> new Credentials(Accounts.OPERATOR, text, Optional.of(door)))
                .map(own -> root.map(own::or).orElse(own))
                .or(() -> root);
    }

    /** Whether users and roles are any of the operator's business, or were until now. */
    private boolean areOurs() {
        return spec.isPresent() || isRemembered();
    }

    /** Whether the operator still has a password of its own. */
    public boolean isRemembered() {
        return operatorPassword().isPresent();
    }

    public boolean areWanted() {
        return spec.filter(AuthSpec::isEnabled).isPresent();
    }

    /** Secrets that the operator has yet to make, with the users they are for. */
    public SortedMap<String, String> due() {
        SortedMap<String, String> due = new TreeMap<>();
        if (areWanted()) {
            if (!isRemembered()) {
                due.put(PasswordSecrets.operator(key), Accounts.OPERATOR);
            }
            if (rootSecret().isEmpty() && rootPassword().isEmpty()) {
                due.put(PasswordSecrets.root(key), Accounts.ROOT);
            }
        }
        return due;
    }

    /** What is wrong with the Secrets that users have to bring, in a sentence that says how to mend it. */
    public Optional<String> complaint() {
        if (!areWanted()) {
            return Optional.empty();
        }
        Stream<Optional<String>> root =
                rootSecret().map(name -> complaint(name, "spec.auth.rootSecret", "root")).stream();
        Stream<Optional<String>> users = spec.stream()
                .flatMap(auth -> auth.users().stream())
                .flatMap(user ->
                        name(user.passwordSecret())
                                .map(name -> complaint(name, "spec.auth.users", "user " + user.name()))
                                .stream());
        return Stream.concat(root, users).flatMap(Optional::stream).findFirst();
    }

    private Optional<String> complaint(String name, String where, String whose) {
        if (ClusterObjects.find(objects.secrets(), name).isEmpty()) {
            return Optional.of(
                    "Secret %s, which %s names for the password of %s, is not there: create it with the key password"
                            .formatted(name, where, whose));
        }
        return password(name).isPresent()
                ? Optional.empty()
                : Optional.of(
                        "Secret %s, which %s names for the password of %s, has no key password, or an empty one: put the password there"
                                .formatted(name, where, whose));
    }

    /** Empty as long as a password is missing. */
    public Optional<Wanted> wanted() {
        if (!areWanted()) {
            return areOurs() ? Optional.of(new Wanted(false, Map.of(), Map.of())) : Optional.empty();
        }
        return due().isEmpty() && complaint().isEmpty()
                ? spec.map(auth -> Wanted.of(auth, byUser()))
                : Optional.empty();
    }

    /** Changes with anything that is wanted, and tells nothing of it. */
    public Optional<String> fingerprint() {
        return wanted().map(wanted -> wanted.enabled() ? hash(spec.orElseThrow() + " " + byUser()) : "off");
    }

    public Optional<Chore.ReadAccounts> reading() {
        return wanted().flatMap(wanted -> fingerprint().map(print -> {
            Map<String, Optional<String>> passwords = new TreeMap<>();
            wanted.users().forEach((user, account) -> passwords.put(user, account.password()));
            return new Chore.ReadAccounts(print, passwords);
        }));
    }

    private SortedMap<String, String> byUser() {
        SortedMap<String, String> passwords = new TreeMap<>();
        rootPassword().ifPresent(text -> passwords.put(Accounts.ROOT, text));
        operatorPassword().ifPresent(text -> passwords.put(Accounts.OPERATOR, text));
        spec.stream()
                .flatMap(auth -> auth.users().stream())
                .forEach(user -> name(user.passwordSecret())
                        .flatMap(this::password)
                        .ifPresent(text -> passwords.put(user.name(), text)));
        return passwords;
    }

    public Optional<String> rootSecret() {
        return spec.flatMap(auth -> name(auth.rootSecret()));
    }

    private Optional<String> rootPassword() {
        return password(rootSecret().orElse(PasswordSecrets.root(key)));
    }

    private Optional<String> operatorPassword() {
        return password(PasswordSecrets.operator(key));
    }

    private Optional<String> password(String secret) {
        return ClusterObjects.find(objects.secrets(), secret)
                .flatMap(found -> TlsSecrets.text(found, PasswordSecrets.PASSWORD))
                .filter(text -> !text.isEmpty());
    }

    private static Optional<String> name(@Nullable LocalObjectReference secret) {
        return Optional.ofNullable(secret).map(LocalObjectReference::getName);
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
