/**
 * The five kinds of etcd.improbable.io/v1alpha1 as Java types. The CRDs, with their validation rules, and the field
 * reference in docs/reference.md are generated from here, so every description is written for users.
 */
@NullMarked
package etcdoperator.api;

import org.jspecify.annotations.NullMarked;
