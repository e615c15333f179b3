/** Which installation of the operator manages an object. The passes of the others leave the object alone. */
@NullMarked
package etcdoperator.installation;

import org.jspecify.annotations.NullMarked;
