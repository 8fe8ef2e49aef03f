// SPDX-License-Identifier: Apache-2.0
/**
 * The main job: webhook deliveries with duplicates, each acted upon once, and a count that shows
 * it. It puts the modules together as an application would, and knows nothing of their insides.
 */
@NullMarked
package io.dedup.examples.deliveries;

import org.jspecify.annotations.NullMarked;
