package etcdoperator.etcd.grpc;

import com.google.protobuf.ByteString;
import etcdoperator.domain.Keys;
import etcdoperator.domain.Permission;
import etcdoperator.domain.Permission.Access;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.grpc.proto.AuthDisableRequest;
import etcdoperator.etcd.grpc.proto.AuthEnableRequest;
import etcdoperator.etcd.grpc.proto.AuthGrpc;
import etcdoperator.etcd.grpc.proto.AuthPermission;
import etcdoperator.etcd.grpc.proto.AuthRoleAddRequest;
import etcdoperator.etcd.grpc.proto.AuthRoleDeleteRequest;
import etcdoperator.etcd.grpc.proto.AuthRoleGetRequest;
import etcdoperator.etcd.grpc.proto.AuthRoleGrantPermissionRequest;
import etcdoperator.etcd.grpc.proto.AuthRoleListRequest;
import etcdoperator.etcd.grpc.proto.AuthRoleRevokePermissionRequest;
import etcdoperator.etcd.grpc.proto.AuthStatusRequest;
import etcdoperator.etcd.grpc.proto.AuthUserAddRequest;
import etcdoperator.etcd.grpc.proto.AuthUserChangePasswordRequest;
import etcdoperator.etcd.grpc.proto.AuthUserDeleteRequest;
import etcdoperator.etcd.grpc.proto.AuthUserGetRequest;
import etcdoperator.etcd.grpc.proto.AuthUserGrantRoleRequest;
import etcdoperator.etcd.grpc.proto.AuthUserListRequest;
import etcdoperator.etcd.grpc.proto.AuthUserRevokeRoleRequest;
import etcdoperator.etcd.grpc.proto.AuthenticateRequest;
import etcdoperator.etcd.grpc.proto.UserAddOptions;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** etcd's own authentication, over the channel of a client. */
final class GrpcAccounts implements Accounts {
    private final Channel channel;
    private final Asking asking;

    /** How the client that this belongs to makes a call. */
    interface Asking {
        <T> T ask(String what, Supplier<T> call) throws EtcdException;
    }

    GrpcAccounts(Channel channel, Asking asking) {
        this.channel = channel;
        this.asking = asking;
    }

    /** 3.4 has no call for it, and others answer it to root only; but to nobody's password all lines answer anybody. */
    @Override
    public boolean isEnabled(Duration deadline) throws EtcdException {
        try {
            return asking.ask(
                    "auth status",
                    () -> auth(deadline)
                            .authStatus(AuthStatusRequest.getDefaultInstance())
                            .getEnabled());
        } catch (EtcdException e) {
            boolean unknown = e.getCause() instanceof StatusRuntimeException cause
                    && cause.getStatus().getCode() == Status.Code.UNIMPLEMENTED;
            if (e.kind() != Kind.NO_ACCESS && !unknown) {
                throw e;
            }
        }
        return tryLogin(new Credentials("", ""), deadline) != Login.NOT_ENABLED;
    }

    @Override
    public void enable(Duration deadline) throws EtcdException {
        asking.ask("auth enable", () -> auth(deadline).authEnable(AuthEnableRequest.getDefaultInstance()));
    }

    @Override
    public void disable(Duration deadline) throws EtcdException {
        asking.ask("auth disable", () -> auth(deadline).authDisable(AuthDisableRequest.getDefaultInstance()));
    }

    @Override
    public Login tryLogin(Credentials credentials, Duration deadline) throws EtcdException {
        var request = AuthenticateRequest.newBuilder()
                .setName(credentials.user())
                .setPassword(credentials.password())
                .build();
        return asking.ask("authenticate", () -> {
            try {
                auth(deadline).authenticate(request);
                return Login.ACCEPTED;
            } catch (StatusRuntimeException e) {
                return refusedLogin(e).orElseThrow(() -> e);
            }
        });
    }

    private static Optional<Login> refusedLogin(StatusRuntimeException e) {
        if (Refusals.says(e, Refusals.AUTH_NOT_ENABLED)) {
            return Optional.of(Login.NOT_ENABLED);
        }
        if (Refusals.says(e, Refusals.PASSWORDLESS)) {
            return Optional.of(Login.PASSWORDLESS);
        }
        return Refusals.says(e, Refusals.WRONG_PASSWORD) ? Optional.of(Login.WRONG) : Optional.empty();
    }

    @Override
    public void addUser(String user, Optional<String> password, Duration deadline) throws EtcdException {
        var request = AuthUserAddRequest.newBuilder()
                .setName(user)
                .setPassword(password.orElse(""))
                .setOptions(UserAddOptions.newBuilder().setNoPassword(password.isEmpty()))
                .build();
        unless(Set.of(Refusals.USER_THERE), "user add", () -> auth(deadline).userAdd(request));
    }

    @Override
    public void deleteUser(String user, Duration deadline) throws EtcdException {
        var request = AuthUserDeleteRequest.newBuilder().setName(user).build();
        unless(Set.of(Refusals.NO_USER), "user delete", () -> auth(deadline).userDelete(request));
    }

    @Override
    public List<String> users(Duration deadline) throws EtcdException {
        return asking.ask(
                "user list",
                () -> List.copyOf(auth(deadline)
                        .userList(AuthUserListRequest.getDefaultInstance())
                        .getUsersList()));
    }

    @Override
    public List<String> rolesOf(String user, Duration deadline) throws EtcdException {
        var request = AuthUserGetRequest.newBuilder().setName(user).build();
        return asking.ask(
                "user get", () -> List.copyOf(auth(deadline).userGet(request).getRolesList()));
    }

    @Override
    public void changePassword(String user, String password, Duration deadline) throws EtcdException {
        var request = AuthUserChangePasswordRequest.newBuilder()
                .setName(user)
                .setPassword(password)
                .build();
        asking.ask("change password", () -> auth(deadline).userChangePassword(request));
    }

    @Override
    public void grantRole(String user, String role, Duration deadline) throws EtcdException {
        var request = AuthUserGrantRoleRequest.newBuilder()
                .setUser(user)
                .setRole(role)
                .build();
        asking.ask("grant role", () -> auth(deadline).userGrantRole(request));
    }

    @Override
    public void revokeRole(String user, String role, Duration deadline) throws EtcdException {
        var request = AuthUserRevokeRoleRequest.newBuilder()
                .setName(user)
                .setRole(role)
                .build();
        unless(
                Set.of(Refusals.NO_SUCH_ROLE_OF_USER, Refusals.NO_USER),
                "revoke role",
                () -> auth(deadline).userRevokeRole(request));
    }

    @Override
    public void addRole(String role, Duration deadline) throws EtcdException {
        var request = AuthRoleAddRequest.newBuilder().setName(role).build();
        unless(Set.of(Refusals.ROLE_THERE), "role add", () -> auth(deadline).roleAdd(request));
    }

    @Override
    public void deleteRole(String role, Duration deadline) throws EtcdException {
        var request = AuthRoleDeleteRequest.newBuilder().setRole(role).build();
        unless(Set.of(Refusals.NO_ROLE), "role delete", () -> auth(deadline).roleDelete(request));
    }

    @Override
    public List<String> roles(Duration deadline) throws EtcdException {
        return asking.ask(
                "role list",
                () -> List.copyOf(auth(deadline)
                        .roleList(AuthRoleListRequest.getDefaultInstance())
                        .getRolesList()));
    }

    @Override
    public List<Permission> permissionsOf(String role, Duration deadline) throws EtcdException {
        var request = AuthRoleGetRequest.newBuilder().setRole(role).build();
        return asking.ask(
                "role get",
                () -> auth(deadline).roleGet(request).getPermList().stream()
                        .map(GrpcAccounts::permission)
                        .toList());
    }

    @Override
    public void grant(String role, Permission permission, Duration deadline) throws EtcdException {
        var request = AuthRoleGrantPermissionRequest.newBuilder()
                .setName(role)
                .setPerm(AuthPermission.newBuilder()
                        .setPermType(
                                switch (permission.access()) {
                                    case READ -> AuthPermission.Type.READ;
                                    case WRITE -> AuthPermission.Type.WRITE;
                                    case READ_WRITE -> AuthPermission.Type.READWRITE;
                                })
                        .setKey(ByteString.copyFrom(permission.keys().first()))
                        .setRangeEnd(ByteString.copyFrom(permission.keys().end())))
                .build();
        asking.ask("grant permission", () -> auth(deadline).roleGrantPermission(request));
    }

    @Override
    public void revoke(String role, Keys keys, Duration deadline) throws EtcdException {
        var request = AuthRoleRevokePermissionRequest.newBuilder()
                .setRole(role)
                .setKey(ByteString.copyFrom(keys.first()))
                .setRangeEnd(ByteString.copyFrom(keys.end()))
                .build();
        unless(
                Set.of(Refusals.NO_SUCH_PERMISSION, Refusals.NO_ROLE),
                "revoke permission",
                () -> auth(deadline).roleRevokePermission(request));
    }

    private static Permission permission(AuthPermission told) {
        Access access = told.getPermType() == AuthPermission.Type.READ
                ? Access.READ
                : told.getPermType() == AuthPermission.Type.WRITE ? Access.WRITE : Access.READ_WRITE;
        return new Permission(
                Keys.of(told.getKey().toByteArray(), told.getRangeEnd().toByteArray()), access);
    }

    private <T> void unless(Set<String> words, String what, Supplier<T> call) throws EtcdException {
        try {
            asking.ask(what, call);
        } catch (EtcdException e) {
            if (words.stream().noneMatch(some -> Refusals.says(e, some))) {
                throw e;
            }
        }
    }

    private AuthGrpc.AuthBlockingStub auth(Duration deadline) {
        return AuthGrpc.newBlockingStub(channel).withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }
}
