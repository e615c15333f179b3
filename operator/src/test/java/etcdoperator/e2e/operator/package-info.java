/** The operator itself: how it is installed, what it may do, and what happens while it does not run. */
package etcdoperator.e2e.operator;
