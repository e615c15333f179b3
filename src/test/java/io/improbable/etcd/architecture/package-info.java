/** What may know what. */
package io.improbable.etcd.architecture;
