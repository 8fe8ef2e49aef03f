// SPDX-License-Identifier: Apache-2.0
package io.dedup;

/** One way to have an effect happen once. */
interface Execution {

  /**
   * Claims, runs and settles.
   *
   * @throws io.dedup.claim.StoreException if there is trouble with the store, and nothing was done
   */
  <T> Outcome<T> execute(Call<T> call);
}
