/** Encrypts and decrypts stored backups. */
@NullMarked
package etcdoperator.agent.crypto;

import org.jspecify.annotations.NullMarked;
