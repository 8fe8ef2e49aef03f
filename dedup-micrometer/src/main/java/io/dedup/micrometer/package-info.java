// SPDX-License-Identifier: Apache-2.0
/** Meters of what core tells. It must not know where messages come from. */
@NullMarked
package io.dedup.micrometer;

import org.jspecify.annotations.NullMarked;
