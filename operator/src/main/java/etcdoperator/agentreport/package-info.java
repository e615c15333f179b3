/** What an agent tells the operator: its report, its exit codes, and how both are written as text. */
@NullMarked
package etcdoperator.agentreport;

import org.jspecify.annotations.NullMarked;
