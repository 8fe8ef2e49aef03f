// SPDX-License-Identifier: Apache-2.0
package io.dedup;

/** The database keeps others from the row until the transaction ends, however long that takes. */
enum DatabaseGrip implements RunContext.Grip {
  INSTANCE;

  @Override
  public boolean isLost() {
    return false;
  }

  @Override
  public void confirm() {
    // Nothing can be taken over while the transaction lasts, and if it ends nothing has happened.
  }
}
