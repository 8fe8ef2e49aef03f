// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka;

/** A simulated process is gone: whatever its thread still does reaches nobody. */
final class ProcessDied extends InternalError {

  private static final long serialVersionUID = 1;

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
