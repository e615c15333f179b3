package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Immutable;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Users and roles of etcd. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "!has(self.users) || self.users.all(user, !has(user.roles) || user.roles.all(role,"
                + " role == 'root' || (has(self.roles) && self.roles.exists(known, known.name == role))))",
        message = "spec.auth.users names a role that spec.auth.roles does not have: add the role there, or use root")
public record AuthSpec(
        @JsonPropertyDescription(
                "Whether etcd asks clients who they are. With false, or without spec.auth, the operator"
                        + " disables it and leaves users and roles as they are. Default: false.")
        @Nullable
        Boolean enabled,

        @JsonPropertyDescription(
                "The Secret with the password of the root user, under the key password. When it"
                        + " changes, root gets the new password. Default: the operator makes one, in Secret NAME-root-password.")
        @ValidationRule(
                value = "has(self.name) && size(self.name) > 0",
                message = "spec.auth.rootSecret needs a name: that of a Secret with root's password under the key"
                        + " password")
        @Nullable
        LocalObjectReference rootSecret,

        @JsonPropertyDescription("Users of etcd, beside root. Those that were made by hand are left alone, and so are"
                + " those that are no longer named here.")
        @Size(max = 64)
        @ValidationRule(
                value = "self.all(user, self.exists_one(other, other.name == user.name))",
                message = "spec.auth.users has two users of one name: keep one of them")
        List<User> users,

        @JsonPropertyDescription("Roles of etcd, beside root. Each gets exactly the permissions given here. Those that"
                + " were made by hand are left alone, and so are those that are no longer named here.")
        @Size(max = 64)
        @ValidationRule(
                value = "self.all(role, self.exists_one(other, other.name == role.name))",
                message = "spec.auth.roles has two roles of one name: keep one of them")
        List<Role> roles,

        @JsonPropertyDescription("Whether users may log in although members take whatever reaches their peer port: without"
                + " spec.tls.peer, anybody who does so can read and change all keys, whatever users and roles say."
                + " Default: false.")
        @Nullable
        Boolean allowInsecurePeers) {
    public AuthSpec(
            @Nullable Boolean enabled,
            @Nullable LocalObjectReference rootSecret,
            @Nullable List<User> users,
            @Nullable List<Role> roles,
            @Nullable Boolean allowInsecurePeers) {
        this.enabled = enabled;
        this.rootSecret = rootSecret;
        this.users = Immutable.list(users);
        this.roles = Immutable.list(roles);
        this.allowInsecurePeers = allowInsecurePeers;
    }

    public boolean isEnabled() {
        return Boolean.TRUE.equals(enabled);
    }

    /** Whether users and roles guard anything, beside this TLS. */
    public boolean isOpen(@Nullable TlsSpec tls) {
        return isEnabled() && !Boolean.TRUE.equals(allowInsecurePeers) && (tls == null || tls.peer() == null);
    }

    /** A user of etcd. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record User(
            @JsonPropertyDescription("Name of the user.")
            @Required
            @Size(min = 1, max = 128)
            @ValidationRule(
                    value = "self != 'root'",
                    message = "spec.auth.users must not have root, who is always there: name the Secret with root's"
                            + " password in spec.auth.rootSecret")
            @ValidationRule(
                    value = "self != 'etcd-operator'",
                    message =
                            "spec.auth.users must not have etcd-operator, which is the operator itself: choose another"
                                    + " name")
            String name,

            @JsonPropertyDescription("The Secret with the user's password, under the key password. When it changes, the"
                    + " user gets the new password. Absent for a user known by certificate only.")
            @ValidationRule(
                    value = "has(self.name) && size(self.name) > 0",
                    message = "passwordSecret needs a name: that of a Secret with the user's password under the key"
                            + " password")
            @Nullable
            LocalObjectReference passwordSecret,

            @JsonPropertyDescription("Names of the user's roles: some of spec.auth.roles, or root.") @Size(max = 16)
            List<@Size(min = 1, max = 128) String> roles) {
        public User(String name, @Nullable LocalObjectReference passwordSecret, @Nullable List<String> roles) {
            this.name = name;
            this.passwordSecret = passwordSecret;
            this.roles = Immutable.list(roles);
        }
    }

    /** A role of etcd. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Role(
            @JsonPropertyDescription("Name of the role.")
            @Required
            @Size(min = 1, max = 128)
            @ValidationRule(
                    value = "self != 'root'",
                    message = "spec.auth.roles must not have root, which is always there and allows everything: remove"
                            + " it")
            String name,

            @JsonPropertyDescription("What the role allows.") @Size(max = 64)
            List<Permission> permissions) {
        public Role(String name, @Nullable List<Permission> permissions) {
            this.name = name;
            this.permissions = Immutable.list(permissions);
        }
    }

    /** Access to one key or to all keys under a prefix. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @ValidationRule(
            value = "has(self.prefix) != has(self.key)",
            message = "a permission needs one of prefix and key, and only one: prefix for all keys that start with it,"
                    + " key for a single one")
    public record Permission(
            @JsonPropertyDescription("All keys that start with this; an empty one is for every key.")
            @Size(max = 1024)
            @Nullable
            String prefix,

            @JsonPropertyDescription("This one key.") @Size(min = 1, max = 1024) @Nullable
            String key,

            @JsonPropertyDescription("What is allowed.") @Required
            Access access) {}

    /** What a permission allows. */
    public enum Access {
        @JsonProperty("Read")
        READ,
        @JsonProperty("Write")
        WRITE,
        @JsonProperty("ReadWrite")
        READ_WRITE
    }
}
