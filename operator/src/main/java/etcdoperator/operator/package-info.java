/** The process: wires the parts together; settings, leadership, health and metrics. */
@NullMarked
package etcdoperator.operator;

import org.jspecify.annotations.NullMarked;
