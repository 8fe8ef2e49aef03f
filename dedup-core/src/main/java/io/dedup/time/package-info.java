// SPDX-License-Identifier: Apache-2.0
/**
 * The one place where the process looks at a clock. It knows no other room: every other room asks
 * it for the time and none asks the JVM.
 */
@NullMarked
package io.dedup.time;

import org.jspecify.annotations.NullMarked;
