/** What may know what. */
package etcdoperator.architecture;
