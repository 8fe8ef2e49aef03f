// SPDX-License-Identifier: Apache-2.0
/**
 * Measures the framework beside its peers and beside the limits of the stores, on real servers in
 * processes of their own. It uses everybody's public artefacts, and knows nothing of their insides.
 */
@NullMarked
package io.dedup.benchmarks;

import org.jspecify.annotations.NullMarked;
