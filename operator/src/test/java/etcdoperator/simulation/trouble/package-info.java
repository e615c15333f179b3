/** What goes wrong in a history: nodes, disks, people, TLS. */
package etcdoperator.simulation.trouble;
