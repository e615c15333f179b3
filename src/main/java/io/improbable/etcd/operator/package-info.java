/** Wires the parts into a running process: settings, leadership, health and metrics. */
@NullMarked
package io.improbable.etcd.operator;

import org.jspecify.annotations.NullMarked;
