/** What must hold in every history. Rules see what is done, and end the history at the first thing that must not be. */
package etcdoperator.simulation.rules;
