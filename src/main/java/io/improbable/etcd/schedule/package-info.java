/** When something is due, and what is kept of it. Pure: time and place are inputs. */
@NullMarked
package io.improbable.etcd.schedule;

import org.jspecify.annotations.NullMarked;
