// SPDX-License-Identifier: Apache-2.0
package io.dedup.benchmarks;

/** Is told how far a run is. */
interface Steps {

  /** So many steps more are ahead. */
  void ahead(int steps);

  /** What the next step does. */
  void now(String what);

  /** A step is done. */
  void done();
}
