package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Users and roles of etcd. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record AuthSpec(
        @JsonPropertyDescription("Whether etcd asks clients who they are. Default: false.") @Nullable
        Boolean enabled,

        @JsonPropertyDescription("The Secret with the password of the root user.") @Nullable
        LocalObjectReference rootSecret,

        @JsonPropertyDescription("Users of etcd.") List<User> users,
        @JsonPropertyDescription("Roles of etcd.") List<Role> roles) {
    public AuthSpec(
            @Nullable Boolean enabled,
            @Nullable LocalObjectReference rootSecret,
            @Nullable List<User> users,
            @Nullable List<Role> roles) {
        this.enabled = enabled;
        this.rootSecret = rootSecret;
        this.users = Immutable.list(users);
        this.roles = Immutable.list(roles);
    }

    /** A user of etcd. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record User(
            @JsonPropertyDescription("Name of the user.") @Required
            String name,

            @JsonPropertyDescription(
                    "The Secret with the user's password; absent for a user known by certificate only.")
            @Nullable
            LocalObjectReference passwordSecret,

            @JsonPropertyDescription("Names of the user's roles.")
            List<String> roles) {
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
            @JsonPropertyDescription("Name of the role.") @Required
            String name,

            @JsonPropertyDescription("What the role allows.")
            List<Permission> permissions) {
        public Role(String name, @Nullable List<Permission> permissions) {
            this.name = name;
            this.permissions = Immutable.list(permissions);
        }
    }

    /** Access to one key or to all keys under a prefix. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Permission(
            @JsonPropertyDescription("All keys that start with this.") @Nullable
            String prefix,

            @JsonPropertyDescription("This one key.") @Nullable
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
