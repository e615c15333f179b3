/** As much of cert-manager's API as is needed to ask it for certificates. */
@NullMarked
package io.improbable.etcd.certmanager;

import org.jspecify.annotations.NullMarked;
