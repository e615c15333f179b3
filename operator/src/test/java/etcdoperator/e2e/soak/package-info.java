/**
 * Random faults on real clusters under load, for as long as one likes: {@code make soak}. Clients read, write, and
 * compare and set through every member; {@code testbed/modules/linearizable} judges what they saw.
 */
package etcdoperator.e2e.soak;
