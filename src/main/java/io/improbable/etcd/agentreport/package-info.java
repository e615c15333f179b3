/**
 * What an agent tells the operator: its report, the form of the report as text, and the exit codes of its process.
 * Agents and operator share these records and nothing else.
 */
@NullMarked
package io.improbable.etcd.agentreport;

import org.jspecify.annotations.NullMarked;
