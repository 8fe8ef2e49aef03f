// SPDX-License-Identifier: Apache-2.0
package io.dedup;

import io.dedup.claim.StoreException;
import io.dedup.claim.StoredResult;
import java.time.Duration;
import java.util.Optional;

/**
 * Keeps results elsewhere that are too large for the record of their key, which keeps a reference
 * instead. {@link LargeResults} sends them there. Implementations are thread-safe.
 *
 * <p><b>Contract.</b> A result is written before the completion that refers to it. What {@link
 * #put} has answered can be found until its time is over: it is durable when the call returns, or,
 * where the calling thread is in a transaction of the store's own database, once that has
 * committed. A result that no completion came to refer to, since its process died in between,
 * expires as any other does. Trouble is an exception, never an empty answer.
 */
public interface ResultStore {

  /** The longest reference, in ASCII characters. */
  int REFERENCE_MAX = 128;

  /** Returns how many bytes a result may have that this store keeps; above 0. */
  long maxBytes();

  /**
   * Keeps a result.
   *
   * @param result at most {@link #maxBytes} long
   * @param ttl how long, from now; above 0
   * @return the reference to it: printable ASCII of at most {@value #REFERENCE_MAX} characters that
   *     names no other result and cannot be guessed
   * @throws IllegalArgumentException if the result is too large
   * @throws StoreException if it is not known to be kept
   */
  String put(StoredResult result, Duration ttl);

  /**
   * Returns the result, empty if there is none or its time is over.
   *
   * @throws StoreException if that is not known
   */
  Optional<StoredResult> find(String reference);

  /**
   * Keeps a result for at least another {@code ttl} from now; one that is gone stays so.
   *
   * @throws StoreException if that is not known to be stored
   */
  void extend(String reference, Duration ttl);

  /**
   * Removes results whose time is over, in a short transaction of its own.
   *
   * @param limit how many at most; at least 1
   * @return how many were removed; fewer than {@code limit} if there are no more
   * @throws StoreException if there is trouble
   */
  int purgeExpired(int limit);
}
