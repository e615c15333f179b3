/** The words of the product: members, peers, versions, quorum. Pure; knows neither Kubernetes nor etcd clients. */
@NullMarked
package io.improbable.etcd.domain;

import org.jspecify.annotations.NullMarked;
