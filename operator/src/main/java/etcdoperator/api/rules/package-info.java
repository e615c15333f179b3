/** What the kinds share: the name of the API group, rules of the CRDs for times, and lists that cannot change. */
@NullMarked
package etcdoperator.api.rules;

import org.jspecify.annotations.NullMarked;
