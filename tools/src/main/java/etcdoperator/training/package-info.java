/** The runs from which the image's AOT caches are made: the real processes, against servers that only answer. */
@NullMarked
package etcdoperator.training;

import org.jspecify.annotations.NullMarked;
