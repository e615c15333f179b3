/** TLS, certificates and authentication of clusters. */
package etcdoperator.e2e.security;
