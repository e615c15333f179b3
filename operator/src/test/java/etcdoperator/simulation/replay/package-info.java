/** What makes a history repeatable: chance and time, both from its seed, and the record of what happened. */
package etcdoperator.simulation.replay;
